/** Italian: what users read when an application asks for them without a browser: the pages, and the message. */
import type { BackchannelPhrases } from './en.ts'

/** Phrases of the pages. */
export const backchannelPhrases: BackchannelPhrases = {
  backchannelTitle: 'Conferma un accesso',
  backchannelLead: 'Un’applicazione chiede di farti accedere. Continua per vedere quale e decidere.',
  backchannelGone: 'Questa richiesta è scaduta o ha già ricevuto risposta.',
  backchannelConfirmTitle: 'Accedere a {application}?',
  backchannelMessage: 'Messaggio dell’applicazione',
  backchannelWarning:
    'Consenti solo se te lo aspettavi e se il messaggio è lo stesso che hai visto dove hai iniziato. Altrimenti rifiuta.',
  backchannelDone: 'Hai consentito l’accesso',
  backchannelDoneLead: 'Puoi chiudere questa finestra e continuare da dove hai iniziato.',
  backchannelDenied: 'Hai rifiutato l’accesso',
  backchannelDeniedLead: 'L’applicazione non ha ottenuto l’accesso. Puoi chiudere questa finestra.',
}

/** The mail. */
export const backchannelMail = {
  subject: 'Conferma un accesso',
  lead: 'Un’applicazione chiede di farti accedere a {{host}}. Usa questo link per vedere quale e decidere.',
  action: 'Vedi la richiesta',
  unasked: 'Se non te lo aspettavi, puoi ignorare questa email. Nessuno accede se non lo consenti.',
}

/** The text message. */
export const backchannelSms = "Un'applicazione chiede di farti accedere a {{host}}. Decidi qui: {{link}}"
