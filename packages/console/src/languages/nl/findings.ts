/** The findings of checks in Dutch. */
import type { Findings } from '../en/findings.ts'

export const findings: Findings = {
  'found.provider.reached': '{issuer} is bereikbaar; openbare sleutels: {count}',
  'found.provider.oauth2': 'Gewone OAuth 2.0, die alleen met een aanmelding te controleren is',
  'found.provider.certificate': '{entityId} is bereikbaar en heeft een certificaat dat geldig is tot en met {date}',
  'found.provider.certificate_given': '{entityId} heeft een certificaat dat geldig is tot en met {date}',
  'found.provider.certificate_ends':
    '{entityId} heeft geen certificaat dat na {date} geldig is: vanaf dan kunnen gebruikers zich daar niet aanmelden',
  'found.provider.failed': 'Gebruikers kunnen zich daar niet aanmelden: {reason}',
  'found.provider.incomplete': 'Geen gebruiker wordt daarheen gestuurd: de configuratie is niet volledig',
  'found.address.unreached': 'Van hieruit niet bereikbaar: {reason}',
  'found.base_url.other_issuer':
    'Leidt naar een server met issuer {issuer}; stel BASE_URL in op het adres dat clients gebruiken',
  'found.base_url.reached': 'Leidt naar de server, die dezelfde basis-URL heeft',
  'found.base_url.status': 'Antwoordt {status} op discovery',
  'found.check.too_late': 'Geen antwoord binnen {seconds} seconden',
  'found.console.other_site':
    'Hoort bij een andere site dan {baseUrl}: browsers sturen de sessie daar niet mee, zodat beheerders zich elke tien minuten opnieuw moeten aanmelden',
  'found.console.other_tenant': 'Leidt niet naar de console van {baseUrl}; geef de host door aan de server',
  'found.console.reached': 'Leidt naar de console',
  'found.console.status': 'Antwoordt {status} op /console',
  'found.mail.answers': '{server} antwoordt',
  'found.mail.by_provider':
    'Verzending via {connector}, wat alleen met een testbericht te controleren is: POST /api/connectors/{connector}/test',
  'found.mail.failed': '{server} ({cause}): {reason}',
  'found.mail.login': '{server} accepteert de aanmelding',
  'found.mail.none':
    'Er is geen connector ingesteld: er wordt geen e-mail verstuurd en codes per e-mail worden niet aangeboden',
  'found.proxy.address': 'De server ziet verzoeken van deze machine als afkomstig van {ip}',
  'found.proxy.other_database': 'De server op de basis-URL schrijft niet in deze database',
  'found.proxy.private':
    'De server ziet verzoeken als afkomstig van {ip}; is dat een proxy, noem die dan in TRUSTED_PROXIES',
  'found.token.answered': 'Een tokenverzoek via de basis-URL wordt beantwoord',
  'found.token.no_answer': 'Een tokenverzoek via de basis-URL krijgt geen antwoord',
  'found.token.status': 'Een tokenverzoek via de basis-URL krijgt antwoord {status}',
  'asked.base_url': 'Basis-URL {url}',
  'asked.connector': 'Connector {name} van {tenant}',
  'asked.console': 'Console {url}',
  'asked.mail': 'E-mail van {tenant}',
  'asked.providers': 'Aanbieders van {tenant}',
  'asked.proxy': 'Proxy',
  'asked.sso_connector': 'SSO-connector {name} van {tenant}',
  'asked.token': 'Token',
}
