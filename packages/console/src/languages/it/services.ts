/** The phrases of `en/services.ts` in Italian. */
import type { services as english } from '../en/services.ts'

export const services: Readonly<Record<keyof typeof english, string>> = {
  'services.mail': 'Invia e-mail tramite {name}.',
  'services.sms': 'Invia SMS tramite {name}.',
  'services.smtp': 'Invia e-mail tramite il proprio server di posta.',
  'services.httpMail': 'Invia e-mail con una richiesta a un servizio di qualsiasi fornitore, o al proprio.',
  'services.httpSms': 'Invia SMS con una richiesta a un servizio di qualsiasi fornitore, o al proprio.',
  'services.account': 'Gli utenti accedono con il loro account {name}.',
  'services.microsoft': 'Gli utenti accedono con il loro account Microsoft, di lavoro, scolastico o personale.',
  'services.oidc': 'Gli utenti accedono presso qualsiasi provider OpenID.',
  'services.oauth2': 'Gli utenti accedono presso qualsiasi provider OAuth 2.0 che restituisca i dati dell’utente.',
  'services.anyIdp': 'Qualsiasi provider di identità che supporta {protocol}.',
  'services.entra': 'La directory di un’azienda presso Microsoft, tramite {protocol}.',
  'services.company': 'Gli account di un’azienda presso {name}.',
}
