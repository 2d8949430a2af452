/** The phrases of `en/import.ts` in Polish. */
import type { userImport as english } from '../en/import.ts'

export const userImport: Readonly<Record<keyof typeof english, string>> = {
  'import.title': 'Importuj użytkowników',
  'import.text':
    'Z pliku dowolnej długości. To, czego nie można zaimportować, zostanie wymienione z powodem, a nic innego nie przepadnie.',
  'import.button': 'Importuj',
  'import.file': 'Plik',
  'import.fileText': 'Można też przenieść hashe haseł, drugie składniki, połączone konta i role.',
  'import.choose': 'Wybierz plik lub upuść go tutaj',
  'import.kinds': 'Wiersze JSON, tablica JSON lub CSV z nagłówkiem',
  'import.sample': 'Wiersz JSON:',
  'import.columns': 'Kolumny',
  'import.columnsText': 'Co oznacza każda kolumna tabeli. Puste komórki są pomijane.',
  'import.column': 'Co oznacza {name}',
  'import.leaveOut': 'Pomiń',
  'import.own': 'customData.{name}',
  'import.options': 'Start',
  'import.events': 'Powiadamiaj webhooki',
  'import.eventsText': 'Każdy zaimportowany użytkownik jest wysyłany jako User.Created.',
  'import.start': 'Importuj użytkowników',
  'import.running': 'Trwa import…',
  'import.stopped': 'Zatrzymano',
  'import.finished': 'Zaimportowano',
  'import.failed': 'Import zakończył się przedwcześnie',
  'import.counts': 'Przeczytane wiersze: {lines}, utworzeni użytkownicy: {created}, odrzucone wiersze: {refused}.',
  'import.stoppedText':
    'To, co zaimportowano, pozostaje. Przy ponownym imporcie pliku te wiersze zostaną odrzucone, bo użytkownicy już istnieją.',
  'import.another': 'Importuj inny plik',
  'import.refused': 'Odrzucone: {count}',
  'import.refusedText': 'Popraw te wiersze i zaimportuj je ponownie: użytkownicy z pozostałych wierszy już są.',
  'import.refusedLines': 'Odrzucone wiersze',
  'import.saveRefused': 'Odrzucone wiersze',
  'import.saveReasons': 'Powody',
  'import.line': 'Wiersz {line}',
  'import.more': 'Pokazano pierwsze: {shown}. Wszystkie są w plikach.',
}
