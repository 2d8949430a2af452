/** The phrases of `en/claims.ts` in German. */
import type { claims as english } from '../en/claims.ts'

export const claims: Readonly<Record<keyof typeof english, string>> = {
  'nav.claims': 'Eigene Claims',
  'claims.text':
    'Ein Skript ergänzt Access Tokens um Claims: einen Tarif, ein Team, den Grund, aus dem jemand für einen Benutzer handelt.',
  'claims.access-token': 'Tokens von Benutzern',
  'claims.client-credentials': 'Tokens von Maschinen',
  'claims.script': 'Skript',
  'claims.hint': 'Es läuft für jedes Token dieser Art, vom nächsten nach dem Speichern an.',
  'claims.notYet': 'Es gibt noch kein Skript: Tokens dieser Art erhalten keine eigenen Claims.',
  'claims.block': 'Token verweigern, wenn das Skript scheitert',
  'claims.blockText': 'Aus: Das Token wird ohne eigene Claims ausgestellt. In beiden Fällen sagt das Protokoll, warum.',
  'claims.cpuLimit': 'CPU-Zeit eines Laufs',
  'claims.cpuLimitHint': 'Millisekunden, höchstens 1000. Leer: 100.',
  'claims.test': 'Test',
  'claims.testText': 'Führt das Getippte mit diesen Daten aus, in derselben Sandbox wie für Tokens.',
  'claims.run': 'Ausführen',
  'claims.tokenSample': 'Token',
  'claims.tokenSample.hint': 'Was das Skript als token erhält. Wird mit ihm gespeichert.',
  'claims.contextSample': 'Kontext',
  'claims.contextSample.hint': 'Was das Skript als context erhält. Wird mit ihm gespeichert.',
  'claims.environmentVariables': 'Umgebungsvariablen',
  'claims.environmentVariables.hint': 'Ein JSON-Objekt aus Texten, auch für echte Tokens. Verschlüsselt gespeichert.',
  'claims.noObject': 'Das muss ein JSON-Objekt sein.',
  'claims.claims': 'Claims',
  'claims.dropped': 'Weggelassen, weil Skripte sie nicht setzen dürfen:',
  'claims.console': 'Konsole',
  'claims.took': '{ms} ms CPU-Zeit',
  'claims.delete': 'Skript löschen',
  'claims.deleteText': 'Tokens dieser Art erhalten keine eigenen Claims mehr. Das lässt sich nicht rückgängig machen.',
  'claims.deleted': 'Das Skript wurde gelöscht',
}
