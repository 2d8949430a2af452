/** What is saved of an import: the lines that were refused, to be mended and imported again, and the reasons. */
import { saveFile } from '../save-file.ts'
import type { Refusal } from './run.ts'
import type { Source } from './source.ts'

const quoted = (text: string): string => {
  // a spreadsheet would take these for the beginning of a formula
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return `"${safe.replaceAll('"', '""')}"`
}

/** The refused lines as they were, in a file of the same kind. */
export const saveRefused = ({ file, kind, columns, separator }: Source, refused: readonly Refusal[]): void => {
  const raws = refused.map(({ raw }) => raw)
  const name = `refused-${file.name}`
  if (kind === 'array') {
    saveFile(name, 'application/json', `[\n${raws.join(',\n')}\n]\n`)
    return
  }
  const head = kind === 'table' ? [columns.map((each) => `"${each.replaceAll('"', '""')}"`).join(separator)] : []
  saveFile(name, kind === 'table' ? 'text/csv' : 'application/x-ndjson', `${[...head, ...raws].join('\n')}\n`)
}

/** Line, code and reason of each, as a table. */
export const saveReasons = ({ file }: Source, refused: readonly Refusal[]): void => {
  const rows = refused.map(({ line, code, message }) => [String(line), code, quoted(message)].join(','))
  saveFile(`report-${file.name}.csv`, 'text/csv', `${['line,code,reason', ...rows].join('\n')}\n`)
}
