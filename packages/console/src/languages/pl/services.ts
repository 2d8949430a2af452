/** The phrases of `en/services.ts` in Polish. */
import type { services as english } from '../en/services.ts'

export const services: Readonly<Record<keyof typeof english, string>> = {
  'services.mail': 'Wysyła pocztę przez {name}.',
  'services.sms': 'Wysyła SMS-y przez {name}.',
  'services.smtp': 'Wysyła pocztę przez własny serwer pocztowy.',
  'services.httpMail': 'Wysyła pocztę żądaniem do usługi dowolnego dostawcy albo własnej.',
  'services.httpSms': 'Wysyła SMS-y żądaniem do usługi dowolnego dostawcy albo własnej.',
  'services.account': 'Użytkownicy logują się swoim kontem {name}.',
  'services.microsoft': 'Użytkownicy logują się swoim kontem Microsoft: służbowym, szkolnym lub prywatnym.',
  'services.oidc': 'Użytkownicy logują się u dowolnego dostawcy OpenID.',
  'services.oauth2': 'Użytkownicy logują się u dowolnego dostawcy OAuth 2.0, który zwraca dane użytkownika.',
  'services.anyIdp': 'Dowolny dostawca tożsamości obsługujący {protocol}.',
  'services.entra': 'Katalog firmy w Microsoft, przez {protocol}.',
  'services.company': 'Konta firmy w {name}.',
}
