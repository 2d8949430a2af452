/** The phrases of `en/import.ts` in Spanish. */
import type { userImport as english } from '../en/import.ts'

export const userImport: Readonly<Record<keyof typeof english, string>> = {
  'import.title': 'Importar usuarios',
  'import.text':
    'De un archivo de cualquier longitud. Lo que no se puede importar se lista con su motivo, y no se pierde nada más.',
  'import.button': 'Importar',
  'import.file': 'Archivo',
  'import.fileText': 'Pueden venir también hashes de contraseñas, segundos factores, cuentas vinculadas y roles.',
  'import.choose': 'Elige un archivo o suéltalo aquí',
  'import.kinds': 'Líneas JSON, una lista JSON o CSV con cabecera',
  'import.sample': 'Una línea JSON:',
  'import.columns': 'Columnas',
  'import.columnsText': 'Qué representa cada columna de la tabla. Las celdas vacías se omiten.',
  'import.column': 'Qué representa {name}',
  'import.leaveOut': 'Omitir',
  'import.own': 'customData.{name}',
  'import.options': 'Empezar',
  'import.events': 'Avisar a los webhooks',
  'import.eventsText': 'Cada usuario importado se envía como User.Created.',
  'import.start': 'Importar usuarios',
  'import.running': 'Importando…',
  'import.stopped': 'Detenido',
  'import.finished': 'Importado',
  'import.failed': 'La importación terminó antes de tiempo',
  'import.counts': '{lines} líneas leídas, {created} usuarios creados, {refused} líneas rechazadas.',
  'import.stoppedText':
    'Lo importado se conserva. Si vuelves a importar el archivo, esas líneas se rechazan porque los usuarios existen.',
  'import.another': 'Importar otro archivo',
  'import.refused': 'Rechazadas: {count}',
  'import.refusedText': 'Corrige estas líneas y vuelve a importarlas: los usuarios de las demás ya existen.',
  'import.refusedLines': 'Líneas rechazadas',
  'import.saveRefused': 'Líneas rechazadas',
  'import.saveReasons': 'Motivos',
  'import.line': 'Línea {line}',
  'import.more': 'Se muestran las primeras {shown}. Todas están en los archivos.',
}
