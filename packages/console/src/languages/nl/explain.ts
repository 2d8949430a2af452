/** The phrases of `en/explain.ts` in Dutch. */
import type { explain as english } from '../en/explain.ts'

export const explain: Readonly<Record<keyof typeof english, string>> = {
  'explain.text':
    'Waarom heeft een token een scope, of juist niet? Het antwoord komt van de code die tokens uitgeeft; er wordt niets uitgegeven.',
  'explain.question': 'Een login van',
  'explain.application': 'Applicatie',
  'explain.choose': 'Kiezen…',
  'explain.noneOf': 'Geen',
  'explain.userText': 'De gebruiker die zou inloggen.',
  'explain.applicationText': 'De applicatie die om het token zou vragen.',
  'explain.scope': 'Scopes',
  'explain.scopeHint': 'Namen met spaties ertussen. Leeg: elk recht van de API.',
  'explain.ask': 'Verklaren',
  'explain.none': 'Kies een gebruiker en een applicatie',
  'explain.noneText': 'Dan zie je welk token de gebruiker daar nu zou krijgen, en door welke rollen.',
  'explain.jwt': 'Een JWT voor de API',
  'explain.opaque': 'Een opaque token',
  'explain.refused': 'Geen token',
  'explain.audience': 'Audience',
  'explain.userinfo': 'Het userinfo-endpoint',
  'explain.why': 'Waarom deze',
  'explain.scopes': 'Gevraagde scopes',
  'explain.granted': 'Toegekend',
  'explain.missing': 'Niet toegekend',
  'explain.through': 'Rollen die hem hebben:',
  'explain.inOrganization': '{name} (in de organisatie)',
}
