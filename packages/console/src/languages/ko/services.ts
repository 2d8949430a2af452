/** The phrases of `en/services.ts` in Korean. */
import type { services as english } from '../en/services.ts'

export const services: Readonly<Record<keyof typeof english, string>> = {
  'services.mail': '{name}을(를) 통해 메일을 보냅니다.',
  'services.sms': '{name}을(를) 통해 문자 메시지를 보냅니다.',
  'services.smtp': '자체 메일 서버를 통해 메일을 보냅니다.',
  'services.httpMail': '임의의 공급자 또는 자체 서비스에 요청하여 메일을 보냅니다.',
  'services.httpSms': '임의의 공급자 또는 자체 서비스에 요청하여 문자 메시지를 보냅니다.',
  'services.account': '사용자가 {name} 계정으로 로그인합니다.',
  'services.microsoft': '사용자가 회사, 학교 또는 개인 Microsoft 계정으로 로그인합니다.',
  'services.oidc': '사용자가 임의의 OpenID 공급자에서 로그인합니다.',
  'services.oauth2': '사용자가 사용자 데이터를 돌려주는 임의의 OAuth 2.0 공급자에서 로그인합니다.',
  'services.anyIdp': '{protocol}을(를) 지원하는 모든 ID 공급자.',
  'services.entra': 'Microsoft에 있는 회사 디렉터리({protocol}).',
  'services.company': '{name}에 있는 회사 계정.',
}
