/** The findings of checks in Spanish. */
import type { Findings } from '../en/findings.ts'

export const findings: Findings = {
  'found.provider.reached': 'Se llega a {issuer}; claves públicas: {count}',
  'found.provider.oauth2': 'OAuth 2.0 simple, que solo un inicio de sesión puede comprobar',
  'found.provider.certificate': 'Se llega a {entityId}, que tiene un certificado válido hasta el {date}',
  'found.provider.certificate_given': '{entityId} tiene un certificado válido hasta el {date}',
  'found.provider.certificate_ends':
    '{entityId} no tiene ningún certificado válido después del {date}: a partir de entonces los usuarios no podrán iniciar sesión allí',
  'found.provider.failed': 'Los usuarios no pueden iniciar sesión allí: {reason}',
  'found.provider.incomplete': 'No se envía allí a ningún usuario: la configuración no está completa',
  'found.address.unreached': 'No se puede llegar desde aquí: {reason}',
  'found.base_url.other_issuer':
    'Lleva a un servidor cuyo emisor es {issuer}; pon en BASE_URL la dirección que usan los clientes',
  'found.base_url.reached': 'Lleva al servidor, que tiene la misma URL base',
  'found.base_url.status': 'Responde {status} al descubrimiento',
  'found.check.too_late': 'Sin respuesta en {seconds} segundos',
  'found.console.other_site':
    'Es de otro sitio que {baseUrl}: los navegadores no envían allí la sesión, y los administradores tienen que volver a iniciarla cada diez minutos',
  'found.console.other_tenant': 'No lleva a la consola de {baseUrl}; pasa su host al servidor',
  'found.console.reached': 'Lleva a la consola',
  'found.console.status': 'Responde {status} a /console',
  'found.mail.answers': '{server} responde',
  'found.mail.by_provider':
    'Se envía con {connector}, que solo un mensaje de prueba puede comprobar: POST /api/connectors/{connector}/test',
  'found.mail.failed': '{server} ({cause}): {reason}',
  'found.mail.login': '{server} acepta las credenciales',
  'found.mail.none': 'No hay ningún conector configurado: no se envía correo ni se ofrecen códigos por correo',
  'found.proxy.address': 'El servidor ve que las solicitudes de esta máquina vienen de {ip}',
  'found.proxy.other_database': 'El servidor de la URL base no escribe en esta base de datos',
  'found.proxy.private':
    'El servidor ve que las solicitudes vienen de {ip}; si es un proxy, indícalo en TRUSTED_PROXIES',
  'found.token.answered': 'Una solicitud de token por la URL base recibe respuesta',
  'found.token.no_answer': 'Una solicitud de token por la URL base no recibe respuesta',
  'found.token.status': 'Una solicitud de token por la URL base recibe la respuesta {status}',
  'asked.base_url': 'URL base {url}',
  'asked.connector': 'Conector {name} de {tenant}',
  'asked.console': 'Consola {url}',
  'asked.mail': 'Correo de {tenant}',
  'asked.providers': 'Proveedores de {tenant}',
  'asked.proxy': 'Proxy',
  'asked.sso_connector': 'Conector SSO {name} de {tenant}',
  'asked.token': 'Token',
}
