/** The phrases of `en/services.ts` in Spanish. */
import type { services as english } from '../en/services.ts'

export const services: Readonly<Record<keyof typeof english, string>> = {
  'services.mail': 'Envía correos a través de {name}.',
  'services.sms': 'Envía SMS a través de {name}.',
  'services.smtp': 'Envía correos a través de su propio servidor de correo.',
  'services.httpMail': 'Envía correos mediante una petición a un servicio de cualquier proveedor, o al suyo.',
  'services.httpSms': 'Envía SMS mediante una petición a un servicio de cualquier proveedor, o al suyo.',
  'services.account': 'Los usuarios inician sesión con su cuenta de {name}.',
  'services.microsoft':
    'Los usuarios inician sesión con su cuenta de Microsoft, del trabajo, del centro educativo o personal.',
  'services.oidc': 'Los usuarios inician sesión en cualquier proveedor OpenID.',
  'services.oauth2': 'Los usuarios inician sesión en cualquier proveedor OAuth 2.0 que devuelva datos del usuario.',
  'services.anyIdp': 'Cualquier proveedor de identidad compatible con {protocol}.',
  'services.entra': 'El directorio de una empresa en Microsoft, mediante {protocol}.',
  'services.company': 'Las cuentas de una empresa en {name}.',
}
