/** The phrases of `en/explain.ts` in German. */
import type { explain as english } from '../en/explain.ts'

export const explain: Readonly<Record<keyof typeof english, string>> = {
  'explain.text':
    'Warum hat ein Token einen Scope, oder warum fehlt er? Die Antwort kommt von dem Code, der Token ausstellt; ausgestellt wird nichts.',
  'explain.question': 'Eine Anmeldung von',
  'explain.application': 'Anwendung',
  'explain.choose': 'Wählen…',
  'explain.noneOf': 'Keine',
  'explain.userText': 'Wer sich anmelden würde.',
  'explain.applicationText': 'Die Anwendung, die den Token anfordern würde.',
  'explain.scope': 'Scopes',
  'explain.scopeHint': 'Namen mit Leerzeichen dazwischen. Leer: jede Berechtigung der API.',
  'explain.ask': 'Erklären',
  'explain.none': 'Benutzer und Anwendung wählen',
  'explain.noneText': 'Dann steht hier, welchen Token der Benutzer dort jetzt bekäme, und durch welche Rollen.',
  'explain.jwt': 'Ein JWT für die API',
  'explain.opaque': 'Ein opaker Token',
  'explain.refused': 'Kein Token',
  'explain.audience': 'Zielgruppe (audience)',
  'explain.userinfo': 'Der Userinfo-Endpunkt',
  'explain.why': 'Warum dieser',
  'explain.scopes': 'Angeforderte Scopes',
  'explain.granted': 'Gewährt',
  'explain.missing': 'Nicht gewährt',
  'explain.through': 'Rollen, die ihn enthalten:',
  'explain.inOrganization': '{name} (in der Organisation)',
}
