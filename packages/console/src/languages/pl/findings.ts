/** The findings of checks in Polish. */
import type { Findings } from '../en/findings.ts'

export const findings: Findings = {
  'found.provider.reached': '{issuer} odpowiada; klucze publiczne: {count}',
  'found.provider.oauth2': 'Zwykłe OAuth 2.0, które można sprawdzić tylko logowaniem',
  'found.provider.certificate': '{entityId} odpowiada i ma certyfikat ważny do {date}',
  'found.provider.certificate_given': '{entityId} ma certyfikat ważny do {date}',
  'found.provider.certificate_ends':
    '{entityId} nie ma certyfikatu ważnego po {date}: od tego dnia użytkownicy nie będą mogli się tam zalogować',
  'found.provider.failed': 'Użytkownicy nie mogą się tam zalogować: {reason}',
  'found.provider.incomplete': 'Żaden użytkownik nie jest tam kierowany: konfiguracja jest niepełna',
  'found.address.unreached': 'Nieosiągalny stąd: {reason}',
  'found.base_url.other_issuer':
    'Prowadzi do serwera, którego wystawcą jest {issuer}; ustaw BASE_URL na adres używany przez klientów',
  'found.base_url.reached': 'Prowadzi do serwera, który ma ten sam bazowy URL',
  'found.base_url.status': 'Na discovery odpowiada {status}',
  'found.check.too_late': 'Brak odpowiedzi w ciągu {seconds} s',
  'found.console.other_site':
    'Należy do innej witryny niż {baseUrl}: przeglądarki nie wysyłają tam sesji, więc administratorzy muszą się logować co dziesięć minut',
  'found.console.other_tenant': 'Nie prowadzi do konsoli {baseUrl}; przekazuj jej host do serwera',
  'found.console.reached': 'Prowadzi do konsoli',
  'found.console.status': 'Na /console odpowiada {status}',
  'found.mail.answers': '{server} odpowiada',
  'found.mail.by_provider':
    'Wysyłka przez {connector}, którą sprawdzi tylko wiadomość testowa: POST /api/connectors/{connector}/test',
  'found.mail.failed': '{server} ({cause}): {reason}',
  'found.mail.login': '{server} przyjmuje dane logowania',
  'found.mail.none':
    'Nie skonfigurowano konektora: wiadomości e-mail nie są wysyłane, a kody e-mailem nie są oferowane',
  'found.proxy.address': 'Serwer widzi żądania z tej maszyny jako pochodzące z {ip}',
  'found.proxy.other_database': 'Serwer pod bazowym URL nie zapisuje w tej bazie danych',
  'found.proxy.private': 'Serwer widzi żądania jako pochodzące z {ip}; jeśli to proxy, podaj je w TRUSTED_PROXIES',
  'found.token.answered': 'Żądanie tokenu przez bazowy URL dostaje odpowiedź',
  'found.token.no_answer': 'Żądanie tokenu przez bazowy URL pozostaje bez odpowiedzi',
  'found.token.status': 'Żądanie tokenu przez bazowy URL dostaje odpowiedź {status}',
  'asked.base_url': 'Bazowy URL {url}',
  'asked.connector': 'Konektor {name} ({tenant})',
  'asked.console': 'Konsola {url}',
  'asked.mail': 'E-mail ({tenant})',
  'asked.providers': 'Dostawcy ({tenant})',
  'asked.proxy': 'Proxy',
  'asked.sso_connector': 'Konektor SSO {name} ({tenant})',
  'asked.token': 'Token',
}
