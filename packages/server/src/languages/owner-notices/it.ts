/** Italian: what owners of accounts are told of changes, and the page where they say that it was not them. */

const notMe = {
  action: 'Non ero io',
  unasked:
    'Se eri tu, non devi fare nulla. Altrimenti usa il pulsante: disconnette tutti quelli che hanno effettuato l’accesso al tuo account.',
}

/** Phrases of the page. */
export const notMePhrases = {
  notMe: 'Non ero io',
  notMeTitle: 'Non eri tu?',
  notMeLead: 'Se la modifica è stata fatta da qualcun altro, disconnetti ora tutti dal tuo account.',
  notMeHint:
    'Questo termina tutte le sessioni e l’accesso di tutte le applicazioni e dei token di accesso personali. Non si può annullare.',
  notMeGone: 'Questo link non è più valido. Si può usare una volta, entro sette giorni.',
  notMeDone: 'Tutti sono stati disconnessi',
  notMeDoneLead: 'Nessuno è più connesso al tuo account e nessuna applicazione vi ha più accesso.',
  notMeReset:
    'La tua password non è più valida. Al prossimo accesso scegli l’opzione della password dimenticata e impostane una nuova.',
  notMeCode:
    'La tua password non è più valida. Abbiamo inviato un codice al tuo indirizzo email: inseriscilo qui insieme a una nuova password.',
  notMeFactorCode:
    'Abbiamo inviato un codice al tuo indirizzo email. Inseriscilo per rimuovere il metodo aggiunto alla tua verifica in due passaggi.',
  notMeFactorGone: 'Il metodo è stato rimosso dalla tua verifica in due passaggi.',
  notMeContact:
    'Se il tuo indirizzo email o la tua password sono stati modificati, chiedi aiuto all’assistenza di questo servizio.',
}

/** The mails. */
export const changeMails = {
  AccountDeletion: {
    subject: 'Il tuo account verrà eliminato',
    lead: 'Il tuo account su {{host}} verrà eliminato il {{date}}, come hai chiesto. Per mantenerlo, usa questo link o accedi prima di quella data.',
    action: 'Mantieni il mio account',
    unasked:
      'Se non l’hai chiesto tu, qualcun altro potrebbe conoscere la tua password. Mantieni il tuo account e imposta una nuova password.',
  },
  AccountChanged: {
    subject: 'Il tuo account è stato modificato',
    lead: 'Il tuo account su {{host}} è stato modificato.',
    ...notMe,
  },
  NewSignIn: {
    subject: 'Nuovo accesso al tuo account',
    lead: 'C’è stato un nuovo accesso al tuo account su {{host}}.',
    ...notMe,
  },
}

/** What was changed. */
export const changes = {
  passwordChanged: 'La password del tuo account su {{host}} è stata modificata.',
  emailChanged: 'L’indirizzo email del tuo account su {{host}} è stato modificato.',
  phoneChanged: 'Il numero di telefono del tuo account su {{host}} è stato modificato.',
  factorAdded: 'È stato aggiunto un metodo alla verifica in due passaggi del tuo account su {{host}}.',
  factorRemoved: 'È stato rimosso un metodo dalla verifica in due passaggi del tuo account su {{host}}.',
  backupCodesCreated: 'Sono stati creati nuovi codici di backup per il tuo account su {{host}}.',
  identityLinked: 'Il tuo account su {{host}} è stato collegato a un account di un altro servizio.',
  identityUnlinked: 'Il collegamento del tuo account su {{host}} con un account di un altro servizio è stato rimosso.',
  accessTokenCreated: 'È stato creato un token di accesso personale per il tuo account su {{host}}.',
  newSignIn: 'È stato effettuato l’accesso al tuo account su {{host}} da un nuovo browser o da un nuovo luogo.',
}
