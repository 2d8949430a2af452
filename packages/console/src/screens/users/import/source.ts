/** The file of an import, read piece by piece however long it is: JSON lines, a JSON array, or a table with a head. */
import { csvRecords, memberFor, separatorOf, userOf } from './csv.ts'

/** A user of the file. */
export interface SourceLine {
  /** The number of the line in the file, from 1; of the element, for an array. */
  readonly line: number
  /** As it is in the file. */
  readonly raw: string
  /** What is sent. */
  readonly json: string
}

export interface Source {
  readonly file: File
  readonly kind: 'lines' | 'array' | 'table'
  /** Of a table. */
  readonly columns: readonly string[]
  readonly separator: string
}

const HEAD_BYTES = 65_536
const MARK = '\ufeff'

/** Texts of the file, one after the other. @param onRead is told how many bytes were read */
async function* texts(file: File, onRead: (bytes: number) => void): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  const reader = file.stream().getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      onRead(next.value.length)
      yield decoder.decode(next.value, { stream: true })
    }
    yield decoder.decode()
  } finally {
    await reader.cancel()
  }
}

async function* rawLines(chunks: AsyncIterable<string>): AsyncGenerator<{ line: number; raw: string }> {
  let [rest, line] = ['', 0]
  for await (const chunk of chunks) {
    const parts = (rest + chunk).split('\n')
    rest = parts.pop() ?? ''
    for (const raw of parts) yield { line: ++line, raw }
  }
  yield { line: ++line, raw: rest }
}

/** What kind of file it is, by its beginning. */
export const sourceOf = async (file: File): Promise<Source> => {
  const head = (await file.slice(0, HEAD_BYTES).text()).replace(MARK, '').trimStart()
  if (head.startsWith('[')) return { file, kind: 'array', columns: [], separator: '' }
  if (head.startsWith('{')) return { file, kind: 'lines', columns: [], separator: '' }
  const separator = separatorOf(head)
  const first = await csvRecords(
    (async function* () {
      yield head
    })(),
    separator,
  ).next()
  const columns = first.done ? [] : first.value.cells.map((each) => each.trim())
  return { file, kind: 'table', columns, separator }
}

/** What each column of a table most likely stands for. */
export const likelyMembers = ({ columns }: Source): readonly string[] => columns.map(memberFor)

/** The users of the file. Throws SyntaxError for an array that is no JSON. @param members what the columns of a table stand for */
export async function* usersIn(
  { file, kind, columns, separator }: Source,
  members: readonly string[],
  onRead: (bytes: number) => void,
): AsyncGenerator<SourceLine> {
  if (kind === 'array') {
    const elements = JSON.parse((await file.text()).replace(MARK, '')) as readonly unknown[]
    onRead(file.size)
    for (const [at, element] of elements.entries()) {
      const json = JSON.stringify(element)
      yield { line: at + 1, raw: json, json }
    }
    return
  }
  const chunks = texts(file, onRead)
  if (kind === 'lines') {
    for await (const { line, raw } of rawLines(chunks)) {
      const json = raw.trim()
      if (json !== '') yield { line, raw: json, json }
    }
    return
  }
  let isHead = true
  for await (const { line, raw, cells } of csvRecords(chunks, separator)) {
    if (!isHead) yield { line, raw, json: userOf(columns, members, cells) }
    isHead = false
  }
}
