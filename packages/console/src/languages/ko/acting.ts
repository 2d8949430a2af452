/** The phrases of `en/acting.ts` in Korean. */
import type { acting as english } from '../en/acting.ts'

export const acting: Readonly<Record<keyof typeof english, string>> = {
  'acting.text':
    'API 하나에 대해 이 사용자로서의 액세스 토큰을 받습니다. 토큰은 최대 10분 동안 유효하며, 이 토큰으로 한 작업은 사용자가 한 것으로 간주됩니다.',
  'acting.permissions': '권한',
  'acting.permissionsHint': '토큰에는 사용자가 가진 권한이 포함됩니다.',
  'acting.begin': '사용자로서 작업',
  'acting.made':
    '토큰은 {time}까지 유효하며 다시 표시되지 않습니다. 토큰에는 회원님이 사용자를 대신해 작업한다는 사실이 표시됩니다. 작업을 마치면 바로 종료하세요.',
  'acting.token': '액세스 토큰',
  'acting.claims': '클레임',
  'acting.request': 'API에 대한 요청',
  'acting.noScopes': '사용자에게 이 권한이 하나도 없으므로 토큰에도 권한이 없습니다.',
  'acting.banner': '{time}까지 ‘{reason}’ 사유로 {name} 사용자로서 작업 중입니다.',
  'acting.end': '종료',
  'acting.endLabel': '{name} 사용자로서의 작업 종료',
  'acting.ended': '이제부터 토큰이 거부됩니다. 서명만 확인하는 API는 {time}까지 토큰을 허용합니다.',
}
