/** The phrases of `en/import.ts` in Dutch. */
import type { userImport as english } from '../en/import.ts'

export const userImport: Readonly<Record<keyof typeof english, string>> = {
  'import.title': 'Gebruikers importeren',
  'import.text':
    'Uit een bestand van elke lengte. Wat niet kan worden geïmporteerd, staat met de reden in een lijst, en verder gaat niets verloren.',
  'import.button': 'Importeren',
  'import.file': 'Bestand',
  'import.fileText': 'Wachtwoordhashes, tweede factoren, gekoppelde accounts en rollen kunnen meekomen.',
  'import.choose': 'Kies een bestand, of sleep het hierheen',
  'import.kinds': 'JSON-regels, een JSON-array, of CSV met kop',
  'import.sample': 'Een regel JSON:',
  'import.columns': 'Kolommen',
  'import.columnsText': 'Waar elke kolom van de tabel voor staat. Lege cellen worden weggelaten.',
  'import.column': 'Waar {name} voor staat',
  'import.leaveOut': 'Weglaten',
  'import.own': 'customData.{name}',
  'import.options': 'Starten',
  'import.events': 'Webhooks inlichten',
  'import.eventsText': 'Elke geïmporteerde gebruiker wordt als User.Created verstuurd.',
  'import.start': 'Gebruikers importeren',
  'import.running': 'Importeren…',
  'import.stopped': 'Gestopt',
  'import.finished': 'Geïmporteerd',
  'import.failed': 'De import eindigde voortijdig',
  'import.counts': '{lines} regels gelezen, {created} gebruikers aangemaakt, {refused} regels geweigerd.',
  'import.stoppedText':
    'Wat is geïmporteerd, blijft. Importeer je het bestand opnieuw, dan worden die regels geweigerd omdat de gebruikers bestaan.',
  'import.another': 'Nog een bestand importeren',
  'import.refused': 'Geweigerd: {count}',
  'import.refusedText': 'Verbeter deze regels en importeer ze opnieuw: de gebruikers van de andere regels zijn er al.',
  'import.refusedLines': 'Geweigerde regels',
  'import.saveRefused': 'Geweigerde regels',
  'import.saveReasons': 'Redenen',
  'import.line': 'Regel {line}',
  'import.more': 'De eerste {shown} worden getoond. Ze staan allemaal in de bestanden.',
}
