/** The findings of checks in Portuguese. */
import type { Findings } from '../en/findings.ts'

export const findings: Findings = {
  'found.provider.reached': '{issuer} está acessível; chaves públicas: {count}',
  'found.provider.oauth2': 'OAuth 2.0 simples, que só um login pode verificar',
  'found.provider.certificate': '{entityId} está acessível e tem um certificado válido até {date}',
  'found.provider.certificate_given': '{entityId} tem um certificado válido até {date}',
  'found.provider.certificate_ends':
    '{entityId} não tem nenhum certificado válido depois de {date}: a partir daí os usuários não poderão entrar por lá',
  'found.provider.failed': 'Os usuários não podem entrar por lá: {reason}',
  'found.provider.incomplete': 'Nenhum usuário é enviado para lá: a configuração não está completa',
  'found.address.unreached': 'Inacessível a partir daqui: {reason}',
  'found.base_url.other_issuer':
    'Leva a um servidor cujo emissor é {issuer}; defina BASE_URL com o endereço que os clientes usam',
  'found.base_url.reached': 'Leva ao servidor, que tem a mesma URL base',
  'found.base_url.status': 'Responde {status} à descoberta',
  'found.check.too_late': 'Nenhuma resposta em {seconds} segundos',
  'found.console.other_site':
    'É de outro site que {baseUrl}: os navegadores não enviam a sessão para lá, e os administradores precisam entrar de novo a cada dez minutos',
  'found.console.other_tenant': 'Não leva ao console de {baseUrl}; repasse o host dele ao servidor',
  'found.console.reached': 'Leva ao console',
  'found.console.status': 'Responde {status} a /console',
  'found.mail.answers': '{server} responde',
  'found.mail.by_provider':
    'Envio por {connector}, que só uma mensagem de teste pode verificar: POST /api/connectors/{connector}/test',
  'found.mail.failed': '{server} ({cause}): {reason}',
  'found.mail.login': '{server} aceita as credenciais',
  'found.mail.none': 'Nenhum conector está configurado: nenhum e-mail é enviado e não se oferecem códigos por e-mail',
  'found.proxy.address': 'O servidor vê as solicitações desta máquina como vindas de {ip}',
  'found.proxy.other_database': 'O servidor na URL base não grava neste banco de dados',
  'found.proxy.private':
    'O servidor vê as solicitações como vindas de {ip}; se for um proxy, informe-o em TRUSTED_PROXIES',
  'found.token.answered': 'Uma solicitação de token pela URL base é respondida',
  'found.token.no_answer': 'Uma solicitação de token pela URL base não recebe resposta',
  'found.token.status': 'Uma solicitação de token pela URL base recebe a resposta {status}',
  'asked.base_url': 'URL base {url}',
  'asked.connector': 'Conector {name} de {tenant}',
  'asked.console': 'Console {url}',
  'asked.mail': 'E-mail de {tenant}',
  'asked.providers': 'Provedores de {tenant}',
  'asked.proxy': 'Proxy',
  'asked.sso_connector': 'Conector SSO {name} de {tenant}',
  'asked.token': 'Token',
}
