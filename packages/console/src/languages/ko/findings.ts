/** The findings of checks in Korean. */
import type { Findings } from '../en/findings.ts'

export const findings: Findings = {
  'found.provider.reached': '{issuer}에 연결됩니다. 공개 키: {count}',
  'found.provider.oauth2': '일반 OAuth 2.0이므로 실제 로그인으로만 확인할 수 있습니다',
  'found.provider.certificate': '{entityId}에 연결되며 {date}까지 유효한 인증서가 있습니다',
  'found.provider.certificate_given': '{entityId}에는 {date}까지 유효한 인증서가 있습니다',
  'found.provider.certificate_ends':
    '{entityId}에는 {date} 이후에 유효한 인증서가 없습니다. 그때부터 사용자가 그곳에서 로그인할 수 없습니다',
  'found.provider.failed': '사용자가 그곳에서 로그인할 수 없습니다: {reason}',
  'found.provider.incomplete': '사용자를 그곳으로 보내지 않습니다. 구성이 완료되지 않았습니다',
  'found.address.unreached': '여기에서 연결할 수 없습니다: {reason}',
  'found.base_url.other_issuer':
    '발급자가 {issuer}인 서버로 연결됩니다. BASE_URL을 클라이언트가 사용하는 주소로 설정하세요',
  'found.base_url.reached': '기본 URL이 같은 서버로 연결됩니다',
  'found.base_url.status': '디스커버리에 {status}(으)로 응답합니다',
  'found.check.too_late': '{seconds}초 안에 응답이 없습니다',
  'found.console.other_site':
    '{baseUrl}과(와) 다른 사이트입니다. 브라우저가 세션을 보내지 않으므로 관리자가 10분마다 다시 로그인해야 합니다',
  'found.console.other_tenant': '{baseUrl}의 콘솔로 연결되지 않습니다. 호스트를 서버에 전달하세요',
  'found.console.reached': '콘솔로 연결됩니다',
  'found.console.status': '/console에 {status}(으)로 응답합니다',
  'found.mail.answers': '{server}이(가) 응답합니다',
  'found.mail.by_provider':
    '{connector}(으)로 보냅니다. 테스트 메시지로만 확인할 수 있습니다: POST /api/connectors/{connector}/test',
  'found.mail.failed': '{server} ({cause}): {reason}',
  'found.mail.login': '{server}이(가) 인증을 받아들입니다',
  'found.mail.none': '설정된 커넥터가 없어 이메일을 보내지 않고 이메일 코드도 제공하지 않습니다',
  'found.proxy.address': '서버는 이 컴퓨터의 요청이 {ip}에서 온 것으로 봅니다',
  'found.proxy.other_database': '기본 URL의 서버가 이 데이터베이스에 쓰지 않습니다',
  'found.proxy.private': '서버는 요청이 {ip}에서 온 것으로 봅니다. 프록시라면 TRUSTED_PROXIES에 지정하세요',
  'found.token.answered': '기본 URL을 통한 토큰 요청에 응답합니다',
  'found.token.no_answer': '기본 URL을 통한 토큰 요청에 응답이 없습니다',
  'found.token.status': '기본 URL을 통한 토큰 요청에 {status}(으)로 응답합니다',
  'asked.base_url': '기본 URL {url}',
  'asked.connector': '{tenant}의 커넥터 {name}',
  'asked.console': '콘솔 {url}',
  'asked.mail': '{tenant}의 이메일',
  'asked.providers': '{tenant}의 제공업체',
  'asked.proxy': '프록시',
  'asked.sso_connector': '{tenant}의 SSO 커넥터 {name}',
  'asked.token': '토큰',
}
