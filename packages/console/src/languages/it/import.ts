/** The phrases of `en/import.ts` in Italian. */
import type { userImport as english } from '../en/import.ts'

export const userImport: Readonly<Record<keyof typeof english, string>> = {
  'import.title': 'Importa utenti',
  'import.text':
    'Da un file di qualsiasi lunghezza. Ciò che non si può importare è elencato con il motivo, e nient’altro va perso.',
  'import.button': 'Importa',
  'import.file': 'File',
  'import.fileText': 'Possono venire anche hash delle password, secondi fattori, account collegati e ruoli.',
  'import.choose': 'Scegli un file, o trascinalo qui',
  'import.kinds': 'Righe JSON, un array JSON, o CSV con intestazione',
  'import.sample': 'Una riga JSON:',
  'import.columns': 'Colonne',
  'import.columnsText': 'Che cosa rappresenta ogni colonna della tabella. Le celle vuote vengono tralasciate.',
  'import.column': 'Che cosa rappresenta {name}',
  'import.leaveOut': 'Tralascia',
  'import.own': 'customData.{name}',
  'import.options': 'Avvia',
  'import.events': 'Avvisa i webhook',
  'import.eventsText': 'Ogni utente importato viene inviato come User.Created.',
  'import.start': 'Importa utenti',
  'import.running': 'Importazione in corso…',
  'import.stopped': 'Fermata',
  'import.finished': 'Importazione completata',
  'import.failed': 'L’importazione è finita prima del previsto',
  'import.counts': '{lines} righe lette, {created} utenti creati, {refused} righe rifiutate.',
  'import.stoppedText':
    'Ciò che è stato importato rimane. Se importi di nuovo il file, quelle righe vengono rifiutate perché gli utenti esistono.',
  'import.another': 'Importa un altro file',
  'import.refused': 'Rifiutate: {count}',
  'import.refusedText': 'Correggi queste righe e importale di nuovo: gli utenti delle altre ci sono già.',
  'import.refusedLines': 'Righe rifiutate',
  'import.saveRefused': 'Righe rifiutate',
  'import.saveReasons': 'Motivi',
  'import.line': 'Riga {line}',
  'import.more': 'Sono mostrate le prime {shown}. Nei file ci sono tutte.',
}
