/** The phrases of `en/acting.ts` in Chinese. */
import type { acting as english } from '../en/acting.ts'

export const acting: Readonly<Record<keyof typeof english, string>> = {
  'acting.text':
    '您将获得一个以此用户身份访问某个 API 的访问令牌。它最多有效十分钟，用它执行的操作视为该用户本人的操作。',
  'acting.permissions': '权限',
  'acting.permissionsHint': '令牌包含该用户拥有的权限。',
  'acting.begin': '以用户身份操作',
  'acting.made': '令牌在 {time} 之前有效，且不会再次显示。令牌会注明您在代表该用户操作。完成后请立即结束。',
  'acting.token': '访问令牌',
  'acting.claims': 'Claims',
  'acting.request': '对 API 的请求',
  'acting.noScopes': '该用户没有其中任何权限，因此令牌不含任何权限。',
  'acting.banner': '您正因“{reason}”以 {name} 的身份操作，直到 {time}。',
  'acting.end': '结束',
  'acting.endLabel': '结束以 {name} 的身份操作',
  'acting.ended': '从现在起，该令牌会被拒绝。只验证签名的 API 在 {time} 之前仍会接受它。',
}
