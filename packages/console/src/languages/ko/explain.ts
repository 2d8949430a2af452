/** The phrases of `en/explain.ts` in Korean. */
import type { explain as english } from '../en/explain.ts'

export const explain: Readonly<Record<keyof typeof english, string>> = {
  'explain.text':
    '토큰에 왜 스코프가 있거나 없을까요? 토큰을 발급하는 코드가 직접 답합니다. 실제로 발급되는 것은 없습니다.',
  'explain.question': '로그인하는 사용자',
  'explain.application': '애플리케이션',
  'explain.choose': '선택…',
  'explain.noneOf': '없음',
  'explain.userText': '로그인할 사용자입니다.',
  'explain.applicationText': '토큰을 요청할 애플리케이션입니다.',
  'explain.scope': '스코프',
  'explain.scopeHint': '공백으로 구분한 이름. 비워 두면 API의 모든 권한입니다.',
  'explain.ask': '설명 보기',
  'explain.none': '사용자와 애플리케이션을 선택하세요',
  'explain.noneText': '사용자가 지금 그곳에서 받을 토큰과 그 근거가 되는 역할이 표시됩니다.',
  'explain.jwt': 'API용 JWT',
  'explain.opaque': 'opaque 토큰',
  'explain.refused': '토큰 없음',
  'explain.audience': 'Audience',
  'explain.userinfo': 'userinfo 엔드포인트',
  'explain.why': '이 토큰인 이유',
  'explain.scopes': '요청한 스코프',
  'explain.granted': '부여됨',
  'explain.missing': '부여되지 않음',
  'explain.through': '이 스코프가 있는 역할:',
  'explain.inOrganization': '{name}(조직 내)',
}
