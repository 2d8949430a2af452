/** The phrases of `en/services.ts` in German. */
import type { services as english } from '../en/services.ts'

export const services: Readonly<Record<keyof typeof english, string>> = {
  'services.mail': 'Versendet E-Mails über {name}.',
  'services.sms': 'Versendet SMS über {name}.',
  'services.smtp': 'Versendet E-Mails über Ihren eigenen Mailserver.',
  'services.httpMail':
    'Versendet E-Mails durch eine Anfrage an einen Dienst eines beliebigen Anbieters oder an Ihren eigenen.',
  'services.httpSms':
    'Versendet SMS durch eine Anfrage an einen Dienst eines beliebigen Anbieters oder an Ihren eigenen.',
  'services.account': 'Meldet Benutzer mit ihrem {name}-Konto an.',
  'services.microsoft': 'Meldet Benutzer mit ihrem Microsoft-Konto an: geschäftlich, schulisch oder privat.',
  'services.oidc': 'Meldet Benutzer bei einem beliebigen OpenID-Anbieter an.',
  'services.oauth2': 'Meldet Benutzer bei einem beliebigen OAuth-2.0-Anbieter an, der Daten des Benutzers liefert.',
  'services.anyIdp': 'Jeder Identitätsanbieter, der {protocol} spricht.',
  'services.entra': 'Das Verzeichnis eines Unternehmens bei Microsoft, über {protocol}.',
  'services.company': 'Die Konten eines Unternehmens bei {name}.',
}
