/** The phrases of `en/explain.ts` in Italian. */
import type { explain as english } from '../en/explain.ts'

export const explain: Readonly<Record<keyof typeof english, string>> = {
  'explain.text':
    'Perché un token ha uno scope, o non lo ha? La risposta viene dal codice che emette i token; non viene emesso nulla.',
  'explain.question': 'Un accesso di',
  'explain.application': 'Applicazione',
  'explain.choose': 'Scegli…',
  'explain.noneOf': 'Nessuna',
  'explain.userText': 'L’utente che accederebbe.',
  'explain.applicationText': 'L’applicazione che chiederebbe il token.',
  'explain.scope': 'Scope',
  'explain.scopeHint': 'Nomi separati da spazi. Vuoto: tutte le autorizzazioni dell’API.',
  'explain.ask': 'Spiega',
  'explain.none': 'Scegli un utente e un’applicazione',
  'explain.noneText': 'Poi vedi quale token l’utente vi otterrebbe ora, e grazie a quali ruoli.',
  'explain.jwt': 'Un JWT per l’API',
  'explain.opaque': 'Un token opaco',
  'explain.refused': 'Nessun token',
  'explain.audience': 'Audience',
  'explain.userinfo': 'L’endpoint userinfo',
  'explain.why': 'Perché questo',
  'explain.scopes': 'Scope richiesti',
  'explain.granted': 'Concesso',
  'explain.missing': 'Non concesso',
  'explain.through': 'Ruoli che lo hanno:',
  'explain.inOrganization': '{name} (nell’organizzazione)',
}
