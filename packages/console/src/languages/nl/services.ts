/** The phrases of `en/services.ts` in Dutch. */
import type { services as english } from '../en/services.ts'

export const services: Readonly<Record<keyof typeof english, string>> = {
  'services.mail': 'Verstuurt e-mail via {name}.',
  'services.sms': 'Verstuurt sms-berichten via {name}.',
  'services.smtp': 'Verstuurt e-mail via uw eigen mailserver.',
  'services.httpMail':
    'Verstuurt e-mail met een verzoek aan een dienst van een willekeurige aanbieder, of aan die van u.',
  'services.httpSms':
    'Verstuurt sms-berichten met een verzoek aan een dienst van een willekeurige aanbieder, of aan die van u.',
  'services.account': 'Gebruikers loggen in met hun {name}-account.',
  'services.microsoft': 'Gebruikers loggen in met hun Microsoft-account: van werk, school of persoonlijk.',
  'services.oidc': 'Gebruikers loggen in bij een willekeurige OpenID-aanbieder.',
  'services.oauth2':
    'Gebruikers loggen in bij een willekeurige OAuth 2.0-aanbieder die gegevens van de gebruiker teruggeeft.',
  'services.anyIdp': 'Elke identiteitsaanbieder die {protocol} spreekt.',
  'services.entra': 'De directory van een bedrijf bij Microsoft, via {protocol}.',
  'services.company': 'De accounts van een bedrijf bij {name}.',
}
