/** The phrases of `en/connectors.ts` in Italian. */
import type { connectors as english } from '../en/connectors.ts'

export const connectors: Readonly<Record<keyof typeof english, string>> = {
  'connectors.text': 'I servizi che portano i messaggi agli utenti e i provider presso cui accedono.',
  'connectors.email': 'Email',
  'connectors.emailText': 'Porta codici, link e avvisi via email.',
  'connectors.noEmail': 'Non configurata: gli utenti non possono ricevere codici o link via email.',
  'connectors.sms': 'SMS',
  'connectors.smsText': 'Porta codici ai telefoni.',
  'connectors.noSms': 'Non configurati: gli utenti non possono accedere con un numero di telefono e un codice.',
  'connectors.social': 'Accesso social',
  'connectors.socialText': 'Gli utenti accedono con l’account che hanno altrove.',
  'connectors.noSocial': 'Ancora nessuno.',
  'connectors.sso': 'SSO aziendale',
  'connectors.ssoText':
    'Gli utenti con un indirizzo nel dominio di un’azienda accedono presso il suo provider di identità.',
  'connectors.noSso': 'Ancora nessuno.',
  'connectors.ssoOff':
    'L’SSO aziendale è disattivato: nessun utente viene mandato a questi provider di identità. Aprine uno per attivarlo.',
  'connectors.setUp': 'Configura',
  'connectors.replace': 'Sostituisci',
  'connectors.addSocial': 'Aggiungi provider',
  'connectors.addSso': 'Aggiungi azienda',
  'connectors.notOffered': 'Non offerto',
  'connectors.noDomains': '{provider} · ancora nessun dominio',
  'connectors.incomplete': 'Incompleta',
  'connectors.complete': 'Completa',
  'connectors.incompleteText':
    'La configurazione non è completa: finché non lo è, nessun utente viene mandato a questo provider di identità.',
  'connectors.choose': 'Scegli il servizio.',
  'connectors.create': 'Crea connettore',
  'connectors.created': '{name}: creazione riuscita',
  'connectors.replaces': 'Sostituisce {name} appena lo crei.',
  'connectors.settings': 'Configurazione',
  'connectors.optional': 'Altre impostazioni',
  'connectors.default': 'Predefinito',
  'connectors.yes': 'Sì',
  'connectors.no': 'No',
  'connectors.noJson': 'Non è JSON valido.',
  'connectors.target': 'Identificatore del provider',
  'connectors.targetHint': 'Le identità degli utenti sono conservate con questo nome. Non si può cambiare in seguito.',
  'connectors.nameHint': 'Come lo dice il pulsante della pagina di accesso.',
  'connectors.syncProfile': 'Aggiorna il profilo a ogni accesso',
  'connectors.syncProfile.hint': 'Nome e foto seguono il provider. Disattivato: vengono presi solo alla registrazione.',
  'connectors.enableTokenStorage': 'Conserva i token del provider',
  'connectors.enableTokenStorage.hint':
    'Cifrati, perché le applicazioni possano chiamare la sua API per l’utente. Disattivato: i token conservati vengono eliminati.',
  'connectors.setup': 'Configurazione iniziale',
  'connectors.callback': 'URI di reindirizzamento (indirizzo di callback)',
  'connectors.callbackHint': 'Registralo presso il provider, esattamente com’è qui.',
  'connectors.callbackLater':
    'L’URI di reindirizzamento da registrare presso il provider compare qui, da copiare, appena il connettore è creato.',
  'connectors.offered': 'Offri nella pagina di accesso',
  'connectors.offeredText': 'Gli utenti vedono un pulsante per questo provider.',
  'connectors.check': 'Verifica il provider',
  'connectors.checked': 'Il primo accesso mostra se il provider conosce il client e l’URI di reindirizzamento.',
  'connectors.check.ok': 'Gli utenti possono esservi mandati',
  'connectors.check.warning': 'Gli utenti possono esservi mandati, ma presto non più',
  'connectors.check.problem': 'Gli utenti non possono accedervi',
  'connectors.ssoSetupText': 'Ciò che il provider di identità dell’azienda deve sapere.',
  'connectors.ssoLater':
    'Nome e domini bastano per ora: dopo la creazione hai gli indirizzi che il provider di identità chiede e completi la configurazione con ciò che ti dà.',
  'connectors.entityId': 'Entity ID, e indirizzo dei metadati',
  'connectors.acs': 'Assertion consumer service (reply URL)',
  'connectors.domains': 'Domini email',
  'connectors.domainsHint':
    'Uno per riga. Gli utenti con questi indirizzi accedono presso l’azienda, non con password o codice.',
  'connectors.ssoSwitch': 'SSO aziendale per questo tenant',
  'connectors.ssoSwitchText': 'Disattivato: nessun utente viene mandato al provider di identità di un’azienda.',
  'connectors.delete': 'Elimina connettore',
  'connectors.deleteText': 'I messaggi di questo tipo non vengono più inviati. Non si può annullare.',
  'connectors.deleteSocialText': 'Gli utenti non possono più accedere con questo provider. Non si può annullare.',
  'connectors.deleteSsoText':
    'I suoi utenti rimangono, perdono l’identità presso l’azienda e devono accedere in altro modo. Non si può annullare.',
  'connectors.deleted': '{name}: eliminazione riuscita',
  'connectors.test': 'Messaggio di prova',
  'connectors.testText': 'Inviato con la configurazione scritta sopra, anche prima del salvataggio.',
  'connectors.testEmail': 'Invia all’indirizzo email',
  'connectors.testPhone': 'Invia al numero di telefono',
  'connectors.send': 'Invia messaggio di prova',
  'connectors.tested': 'Il messaggio è stato accettato. Dovrebbe arrivare tra un momento.',
  'connectors.advice.address':
    'Controlla il nome host. Un indirizzo non pubblico deve essere elencato in OUTBOUND_ALLOW del server.',
  'connectors.advice.plain':
    'La password attraverserebbe la rete in chiaro. Usa la porta per TLS (465 con «secure», o 587), o un altro server.',
  'connectors.advice.connect':
    'Controlla host e porta, e se un firewall tra questo server e il server di posta o il provider lascia passare la connessione.',
  'connectors.advice.tls':
    'La connessione cifrata è fallita. Controlla se la porta parla subito TLS («secure») o STARTTLS, e se il certificato è valido per l’host.',
  'connectors.advice.login':
    'Le credenziali sono state rifiutate. Controlla nome utente e password, o la chiave e le sue autorizzazioni.',
  'connectors.advice.sender':
    'Il mittente è stato rifiutato. Deve essere uno che il provider ha verificato per questo account.',
  'connectors.advice.recipient':
    'Il destinatario è stato rifiutato. Con un account di prova i provider inviano solo a destinatari che vi hai verificato.',
  'connectors.advice.message': 'Il messaggio è stato rifiutato. Controlla i modelli.',
  'connectors.advice.limit': 'Il limite dell’account è raggiunto. Attendi, o alzalo presso il provider.',
  'connectors.advice.fault': 'Il provider ha un guasto. Riprova più tardi, o guarda la sua pagina di stato.',
  'connectors.advice.protocol':
    'Ciò che ha risposto non parla il protocollo previsto. Controlla la porta, e che l’indirizzo sia quello del servizio.',
}
