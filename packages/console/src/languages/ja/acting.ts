/** The phrases of `en/acting.ts` in Japanese. */
import type { acting as english } from '../en/acting.ts'

export const acting: Readonly<Record<keyof typeof english, string>> = {
  'acting.text':
    '1 つの API に対する、このユーザーとしてのアクセストークンを取得します。有効期間は最長 10 分で、このトークンで行った操作はユーザー本人の操作として扱われます。',
  'acting.permissions': '権限',
  'acting.permissionsHint': 'トークンには、ユーザーが持つ権限が含まれます。',
  'acting.begin': 'ユーザーとして操作',
  'acting.made':
    'トークンは {time} まで有効で、再表示されません。トークンには、あなたがユーザーの代わりに操作していることが示されます。作業が済んだらすぐに終了してください。',
  'acting.token': 'アクセストークン',
  'acting.claims': 'クレーム',
  'acting.request': 'API へのリクエスト',
  'acting.noScopes': 'ユーザーはこれらの権限を 1 つも持っていません。トークンには権限が含まれません。',
  'acting.banner': '{time} まで、「{reason}」のために {name} として操作しています。',
  'acting.end': '終了',
  'acting.endLabel': '{name} としての操作を終了',
  'acting.ended': 'トークンは今後拒否されます。署名だけを検証する API は、{time} まで受け付けます。',
}
