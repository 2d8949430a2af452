/** The findings of checks in Italian. */
import type { Findings } from '../en/findings.ts'

export const findings: Findings = {
  'found.provider.reached': '{issuer} è raggiungibile; chiavi pubbliche: {count}',
  'found.provider.oauth2': 'OAuth 2.0 semplice, che solo un accesso può verificare',
  'found.provider.certificate': '{entityId} è raggiungibile e ha un certificato valido fino al {date}',
  'found.provider.certificate_given': '{entityId} ha un certificato valido fino al {date}',
  'found.provider.certificate_ends':
    '{entityId} non ha certificati validi dopo il {date}: da allora gli utenti non potranno accedere lì',
  'found.provider.failed': 'Gli utenti non possono accedere lì: {reason}',
  'found.provider.incomplete': 'Nessun utente viene mandato lì: la configurazione non è completa',
  'found.address.unreached': 'Non raggiungibile da qui: {reason}',
  'found.base_url.other_issuer':
    'Porta a un server il cui emittente è {issuer}; imposta BASE_URL sull’indirizzo usato dai client',
  'found.base_url.reached': 'Porta al server, che ha lo stesso URL di base',
  'found.base_url.status': 'Risponde {status} alla discovery',
  'found.check.too_late': 'Nessuna risposta entro {seconds} secondi',
  'found.console.other_site':
    'È di un altro sito rispetto a {baseUrl}: i browser non vi inviano la sessione, e gli amministratori devono accedere di nuovo ogni dieci minuti',
  'found.console.other_tenant': 'Non porta alla console di {baseUrl}; inoltra il suo host al server',
  'found.console.reached': 'Porta alla console',
  'found.console.status': 'Risponde {status} a /console',
  'found.mail.answers': '{server} risponde',
  'found.mail.by_provider':
    'Invio tramite {connector}, che solo un messaggio di prova può verificare: POST /api/connectors/{connector}/test',
  'found.mail.failed': '{server} ({cause}): {reason}',
  'found.mail.login': '{server} accetta le credenziali',
  'found.mail.none': 'Nessun connettore è configurato: non si inviano email e non si offrono codici via email',
  'found.proxy.address': 'Il server vede le richieste di questa macchina come provenienti da {ip}',
  'found.proxy.other_database': 'Il server all’URL di base non scrive in questo database',
  'found.proxy.private':
    'Il server vede le richieste come provenienti da {ip}; se è un proxy, indicalo in TRUSTED_PROXIES',
  'found.token.answered': 'Una richiesta di token tramite l’URL di base riceve risposta',
  'found.token.no_answer': 'Una richiesta di token tramite l’URL di base non riceve risposta',
  'found.token.status': 'Una richiesta di token tramite l’URL di base riceve la risposta {status}',
  'asked.base_url': 'URL di base {url}',
  'asked.connector': 'Connettore {name} di {tenant}',
  'asked.console': 'Console {url}',
  'asked.mail': 'Email di {tenant}',
  'asked.providers': 'Provider di {tenant}',
  'asked.proxy': 'Proxy',
  'asked.sso_connector': 'Connettore SSO {name} di {tenant}',
  'asked.token': 'Token',
}
