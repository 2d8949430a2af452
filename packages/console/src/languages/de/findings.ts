/** The findings of checks in German. */
import type { Findings } from '../en/findings.ts'

export const findings: Findings = {
  'found.provider.reached': '{issuer} ist erreichbar; öffentliche Schlüssel: {count}',
  'found.provider.oauth2': 'Einfaches OAuth 2.0, das sich nur mit einer Anmeldung prüfen lässt',
  'found.provider.certificate': '{entityId} ist erreichbar und hat ein Zertifikat, das bis {date} gilt',
  'found.provider.certificate_given': '{entityId} hat ein Zertifikat, das bis {date} gilt',
  'found.provider.certificate_ends':
    '{entityId} hat kein Zertifikat, das nach dem {date} gilt: Ab dann können sich Benutzer dort nicht anmelden',
  'found.provider.failed': 'Benutzer können sich dort nicht anmelden: {reason}',
  'found.provider.incomplete': 'Kein Benutzer wird dorthin geleitet: Die Konfiguration ist unvollständig',
  'found.address.unreached': 'Von hier nicht erreichbar: {reason}',
  'found.base_url.other_issuer':
    'Führt zu einem Server mit dem Issuer {issuer}; setzen Sie BASE_URL auf die Adresse, die Clients verwenden',
  'found.base_url.reached': 'Führt zum Server, der dieselbe Basis-URL hat',
  'found.base_url.status': 'Antwortet auf Discovery mit {status}',
  'found.check.too_late': 'Keine Antwort innerhalb von {seconds} Sekunden',
  'found.console.other_site':
    'Gehört zu einer anderen Site als {baseUrl}: Browser senden die Sitzung dort nicht mit, sodass sich Administratoren alle zehn Minuten neu anmelden',
  'found.console.other_tenant': 'Führt nicht zur Konsole von {baseUrl}; reichen Sie den Host an den Server weiter',
  'found.console.reached': 'Führt zur Konsole',
  'found.console.status': 'Antwortet auf /console mit {status}',
  'found.mail.answers': '{server} antwortet',
  'found.mail.by_provider':
    'Versand über {connector}, was sich nur mit einer Testnachricht prüfen lässt: POST /api/connectors/{connector}/test',
  'found.mail.failed': '{server} ({cause}): {reason}',
  'found.mail.login': '{server} nimmt die Anmeldung an',
  'found.mail.none':
    'Kein Konnektor ist eingerichtet: Es werden keine E-Mails gesendet und keine Codes per E-Mail angeboten',
  'found.proxy.address': 'Anfragen von diesem Rechner sieht der Server als von {ip} kommend',
  'found.proxy.other_database': 'Der Server unter der Basis-URL schreibt nicht in diese Datenbank',
  'found.proxy.private':
    'Der Server sieht Anfragen als von {ip} kommend; ist das ein Proxy, nennen Sie ihn in TRUSTED_PROXIES',
  'found.token.answered': 'Eine Token-Anfrage über die Basis-URL wird beantwortet',
  'found.token.no_answer': 'Eine Token-Anfrage über die Basis-URL bekommt keine Antwort',
  'found.token.status': 'Eine Token-Anfrage über die Basis-URL wird mit {status} beantwortet',
  'asked.base_url': 'Basis-URL {url}',
  'asked.connector': 'Konnektor {name} von {tenant}',
  'asked.console': 'Konsole {url}',
  'asked.mail': 'E-Mail von {tenant}',
  'asked.providers': 'Anbieter von {tenant}',
  'asked.proxy': 'Proxy',
  'asked.sso_connector': 'SSO-Konnektor {name} von {tenant}',
  'asked.token': 'Token',
}
