/** The phrases of `en/application-settings.ts` in Italian. */
import type { applicationSettings as english } from '../en/application-settings.ts'

export const applicationSettings: Readonly<Record<keyof typeof english, string>> = {
  'application.tab.look': 'Aspetto del marchio',
  'tokens.maxAllowedGrants': 'Dispositivi per utente',
  'tokens.maxAllowedGrants.hint': 'Un accesso su uno in più disconnette il più vecchio. Vuoto: senza limite.',
  'tokens.algorithm': 'Algoritmo dei token ID',
  'tokens.algorithmOfTenant': 'Quello della chiave attuale',

  'refused.title': 'Aggiungere questo indirizzo?',
  'refused.text':
    'Gli utenti vi vengono mandati con i loro codici dopo l’accesso. Chiunque può provocare questa voce aprendo un link: aggiungi solo un indirizzo che sai essere tuo.',
  'refused.address': 'Indirizzo',
  'refused.count': 'Richieste rifiutate',
  'refused.last': 'L’ultima',
  'refused.from': 'Dall’indirizzo IP',

  'signOut.title': 'Disconnessione back-channel',
  'signOut.text': 'L’applicazione viene avvisata quando una sessione termina altrove.',
  'signOut.uri': 'URI di disconnessione back-channel',
  'signOut.uriHint': 'Riceve per POST un token di disconnessione firmato. Vuoto: non viene avvisata.',

  'customData.title': 'Dati personalizzati',
  'customData.text': 'Conservati per i tuoi programmi. Il server non li legge mai.',

  'authentication.title': 'Autenticazione',
  'authentication.text': 'Come l’applicazione dimostra chi è all’endpoint dei token.',
  'authentication.method': 'Metodo',
  'authentication.client_secret_basic': 'Segreto, in un’intestazione (Basic)',
  'authentication.client_secret_post': 'Segreto, nel corpo (POST)',
  'authentication.private_key_jwt': 'Chiave privata (JWT)',
  'authentication.keys': 'Chiavi pubbliche',
  'authentication.keysHint':
    'Un JSON Web Key Set con chiavi RSA, P-256, P-384 o Ed25519. Le chiavi private restano nell’applicazione.',

  'exchange.title': 'Scambio di token',
  'exchange.text':
    'I servizi agiscono per gli utenti, o chiamano altre API per loro conto, con un token ottenuto in cambio di un altro.',
  'exchange.only': 'Solo queste',
  'exchange.subjects': 'Accetta token per',
  'exchange.anyApi': 'Qualsiasi API',
  'exchange.targets': 'Ottiene token per',
  'exchange.anyTarget': 'Qualsiasi API tranne la Management API',

  'introspection.title': 'Introspezione',
  'introspection.text': 'Un’API chiede se un token che ha ricevuto è valido.',
  'introspection.apis': 'Può esaminare i token per',
  'introspection.every': 'Tutte le API: tutti i token di questo tenant',

  'look.title': 'Nelle pagine di accesso',
  'look.text': 'Ciò che è vuoto appare come per tutte le applicazioni.',
  'look.displayName': 'Nome visualizzato',
  'look.displayNameHint': 'Ciò che gli utenti vedono al posto del nome.',
  'look.thirdParty': 'Le condizioni e l’informativa sulla privacy di terzi appaiono dove si chiede il consenso.',
  'look.customCssText': 'CSS dopo quello di tutte le pagine. Non carica nulla da altri indirizzi.',
  'look.dark.tenant': 'Come per tutte le applicazioni',
  'look.dark.true': 'Attivo',
  'look.dark.false': 'Disattivato',

  'application.tab.access': 'Accesso',
  'application.tab.consent': 'Consenso',
  'application.tab.roles': 'Ruoli',

  'access.title': 'Chi può accedere',
  'access.openText': 'Tutti gli utenti di questo tenant possono usare l’applicazione.',
  'access.limitedText': 'Solo gli utenti ammessi da uno degli elenchi qui sotto possono usare l’applicazione.',
  'access.limit': 'Solo utenti ammessi',
  'access.limitText': 'Verificato a ogni accesso.',
  'access.limitFirst': 'Ammetti prima utenti, un ruolo o un’organizzazione.',
  'access.noUsers': 'Nessun utente.',
  'access.noRoles': 'Nessun ruolo.',
  'access.noOrganizations': 'Nessuna organizzazione.',
  'access.userText': 'L’utente può usare l’applicazione.',
  'access.roleText': 'Tutti gli utenti con il ruolo possono usare l’applicazione.',
  'access.organizationText': 'Poi scegli quali dei suoi membri possono usare l’applicazione.',
  'access.addOrganization': 'Aggiungi organizzazione',
  'access.rolesText': 'Spunta i ruoli per ammettere solo i membri che ne hanno uno; senza, sono ammessi tutti.',
  'access.admitAll': 'Ammetti tutti i membri',
  'access.admitRoles': 'Ammetti questi ruoli',
  'access.allMembers': 'Tutti i membri',
  'access.withRoles': 'Membri con: {roles}',
  'access.remove': 'Rimuovi',
  'access.removeText': 'Non ammette più utenti. Un’altra regola può ancora ammettere gli stessi.',

  'machine.rolesText': 'Ciò che l’applicazione può fare, dal suo prossimo token.',
  'machine.noRoles': 'Nessun ruolo.',
  'machine.addRoleText': 'L’applicazione ottiene le autorizzazioni del ruolo con il prossimo token.',
  'machine.organizationsText': 'Dove l’applicazione è membro, con i ruoli che vi ha.',
  'machine.management': 'Management API',
  'machine.managementText': 'I ruoli ne danno singole autorizzazioni. Questo le dà tutte.',
  'machine.admin': 'Accesso completo alla Management API',
  'machine.adminText': 'Può leggere e modificare tutto in questo tenant.',
  'machine.adminWarning':
    'Chi ha il suo segreto può allora leggere e modificare tutto in questo tenant, compresi utenti e segreti.',
  'machine.give': 'Concedi accesso completo',

  'consent.title': 'Sull’utente',
  'consent.text':
    'Ciò che l’applicazione può chiedere agli utenti. Il resto delle sue richieste viene ignorato; gli utenti vedono ciò che è chiesto e acconsentono.',
  'consent.profile': 'Nome, foto e altri dati del profilo',
  'consent.email': 'Indirizzo email',
  'consent.phone': 'Numero di telefono',
  'consent.address': 'Indirizzo postale',
  'consent.customData': 'Dati personalizzati',
  'consent.identities': 'Account collegati',
  'consent.roles': 'Ruoli',
  'consent.organizations': 'Organizzazioni',
  'consent.organizationRoles': 'Ruoli nelle organizzazioni',
  'consent.sessions': 'Sessioni',
  'consent.trustedDevices': 'Dispositivi attendibili',
  'consent.ownText': 'Autorizzazioni delle organizzazioni per cui l’utente lascia agire l’applicazione.',
  'consent.inOrganizations': '{name}, nelle organizzazioni',

  'create.thirdParty': 'Applicazione di terzi',
  'create.thirdPartyText':
    'Gestita da un’altra azienda: agli utenti si chiede il consenso a ciò che può fare. Non si può cambiare in seguito.',
  'start.verification': 'Pagina in cui gli utenti inseriscono il codice',
}
