/** The phrases of `en/shell.ts` in Italian. */
import type { shell as english } from '../en/shell.ts'

export const shell: Readonly<Record<keyof typeof english, string>> = {
  'page.title': '{title} · Countersign',
  'nav.home': 'Inizio',
  'nav.applications': 'Applicazioni',
  'nav.users': 'Utenti',
  'nav.log': 'Registro',
  'nav.organizations': 'Organizzazioni',
  'nav.administrators': 'Amministratori',

  'shell.navigation': 'Schermate',
  'shell.showNavigation': 'Mostra navigazione',
  'shell.hideNavigation': 'Nascondi navigazione',
  'shell.search': 'Cerca',
  'shell.skip': 'Vai al contenuto',

  'menu.account': 'Il mio account',
  'menu.theme': 'Tema',
  'menu.language': 'Lingua',
  'menu.signOut': 'Esci',
  'theme.system': 'Come il sistema',
  'theme.light': 'Chiaro',
  'theme.dark': 'Scuro',

  'session.ended': 'La sessione è terminata',
  'session.endedText': 'Accedi di nuovo per continuare. Ciò che hai scritto in questa pagina è conservato.',
  'session.signIn': 'Accedi',
  'session.proof': 'Conferma che sei tu',
  'session.proofText':
    'Questa modifica richiede un accesso recente. Ciò che hai scritto in questa pagina è conservato.',
  'session.confirm': 'Continua',

  'notOpened.title': 'La console non si può aprire',
  'notOpened.address': 'È stata aperta a un indirizzo diverso da quello del server. È qui:',

  'palette.placeholder': 'Vai a una schermata, un’applicazione o un utente…',
  'palette.results': 'Risultati',
  'palette.nothing': 'Nessun risultato',
  'palette.screen': 'Schermata',
  'palette.application': 'Applicazione',
  'palette.user': 'Utente',

  'action.retry': 'Riprova',
  'action.cancel': 'Annulla',
  'action.close': 'Chiudi',
  'action.save': 'Salva modifiche',
  'action.discard': 'Scarta',
  'action.delete': 'Elimina',
  'action.undo': 'Annulla',
  'action.clear': 'Cancella filtri',
  'action.notNow': 'Non ora',
  'action.copy': 'Copia: {what}',
  'action.copied': 'Copiato',

  'state.loading': 'Caricamento',
  'state.offline': 'Il server non è raggiungibile. Non è stato modificato nulla.',
  'state.unknown':
    'La connessione si è interrotta durante il salvataggio. Non si sa ancora se è riuscito; ciò che hai scritto è conservato.',
  'state.unknownBack':
    'La connessione si è interrotta durante il salvataggio. È tornata, e questa pagina mostra ciò che ha il server: se manca la tua modifica, salvala di nuovo.',
  'state.unknownOne': 'La connessione si è interrotta: non si sa se l’operazione è riuscita.',
  'connection.lost': 'Il server non è raggiungibile.',
  'connection.lostText': 'Si riprova da solo. Ciò che hai scritto è conservato.',
  'state.failed': 'Non ha funzionato.',
  'state.request': 'Richiesta {id}',
  'state.notFound': 'Questa pagina non esiste',
  'state.noPermission': 'Il tuo ruolo non comprende questa schermata',
  'state.noMatch': 'Nessuna corrispondenza',
  'state.noMatchText': 'Cambia o cancella i filtri.',

  'conflict.title': 'Modificato nel frattempo',
  'conflict.text': '{name} ha modificato gli stessi campi. Quali valori devono restare?',
  'conflict.textWhen': '{name} ha modificato gli stessi campi {when}. Quali valori devono restare?',
  'conflict.other': 'Un altro amministratore',
  'conflict.self': 'Tu (in un’altra finestra)',
  'conflict.mine': 'Tu',
  'conflict.takeTheirs': 'Prendi i suoi',
  'conflict.keepMine': 'Mantieni i miei',
  'conflict.merged': 'Anche {name} ha modificato questo. Entrambe le modifiche sono salvate.',
  'conflict.mergedMembers': '{name} ha modificato {members} nel frattempo. Entrambe le modifiche sono salvate.',
  'conflict.notSaved': 'Non salvato: modificato nel frattempo. Ciò che hai scritto è conservato.',

  'confirm.type': 'Per confermare, scrivi',
  'form.required': 'Campo obbligatorio.',
  'form.saved': 'Salvato',

  'table.columns': 'Colonne',
  'table.pages': 'Pagine',
  'table.range': '{from}–{to} di {total}',
  'table.previous': 'Pagina precedente',
  'table.next': 'Pagina successiva',

  'api.show': 'Mostra chiamata API',
  'api.title': 'Lo stesso con l’API',
  'api.text': '$TOKEN è un token di accesso per la Management API.',
  'api.file': 'Lo stesso come file',
  'api.fileText':
    'Righe di un file di tenant per ciò che questa schermata mostra. Ciò che tralasciano resta com’è; i segreti sono variabili d’ambiente.',
  'api.shell': 'In una shell',

  'create.kind': 'Che cos’è?',
  'create.namePlaceholder': 'Portale clienti',
  'create.redirect': 'URI di reindirizzamento',
  'create.redirectHint': 'Dove gli utenti tornano dopo l’accesso. Potrai aggiungerne altri.',
}
