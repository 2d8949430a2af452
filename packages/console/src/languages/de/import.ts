/** The phrases of `en/import.ts` in German. */
import type { userImport as english } from '../en/import.ts'

export const userImport: Readonly<Record<keyof typeof english, string>> = {
  'import.title': 'Benutzer importieren',
  'import.text':
    'Aus einer Datei beliebiger Länge. Was nicht importiert werden kann, wird mit seinem Grund aufgelistet; alles andere wird importiert.',
  'import.button': 'Importieren',
  'import.file': 'Datei',
  'import.fileText': 'Passwort-Hashes, zweite Faktoren, verknüpfte Konten und Rollen können mitkommen.',
  'import.choose': 'Datei wählen oder hier ablegen',
  'import.kinds': 'JSON-Zeilen, ein JSON-Array oder CSV mit Kopfzeile',
  'import.sample': 'Eine Zeile JSON:',
  'import.columns': 'Spalten',
  'import.columnsText': 'Wofür jede Spalte der Tabelle steht. Leere Zellen werden ausgelassen.',
  'import.column': 'Wofür {name} steht',
  'import.leaveOut': 'Auslassen',
  'import.own': 'customData.{name}',
  'import.options': 'Beginnen',
  'import.events': 'Webhooks benachrichtigen',
  'import.eventsText': 'Jeder importierte Benutzer wird als User.Created gesendet.',
  'import.start': 'Benutzer importieren',
  'import.running': 'Import läuft…',
  'import.stopped': 'Angehalten',
  'import.finished': 'Importiert',
  'import.failed': 'Der Import endete vorzeitig',
  'import.counts': '{lines} Zeilen gelesen, {created} Benutzer angelegt, {refused} Zeilen abgelehnt.',
  'import.stoppedText':
    'Was importiert wurde, bleibt. Wird die Datei noch einmal importiert, werden diese Zeilen abgelehnt, weil es die Benutzer gibt.',
  'import.another': 'Weitere Datei importieren',
  'import.refused': 'Abgelehnt: {count}',
  'import.refusedText':
    'Diese Zeilen berichtigen und noch einmal importieren: Die Benutzer der anderen Zeilen sind da.',
  'import.refusedLines': 'Abgelehnte Zeilen',
  'import.saveRefused': 'Abgelehnte Zeilen',
  'import.saveReasons': 'Gründe',
  'import.line': 'Zeile {line}',
  'import.more': 'Gezeigt werden die ersten {shown}. In den Dateien stehen alle.',
}
