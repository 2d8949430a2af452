/**
 * The file that says which lines an import refused, as lines of JSON. It is written after each commit; refusals that a
 * process did not write before it died are in the progress that it committed, and are added when the import continues.
 */
import { type FileHandle, open, rm } from 'node:fs/promises'
import { fileError } from './file-error.ts'

interface Refused {
  readonly line: number
}

export interface RefusalsFile {
  readonly path: string
  append(refused: readonly Refused[]): Promise<void>
  /** Closes the file, and removes it when nothing was refused. */
  close(): Promise<void>
}

const written = (refused: readonly Refused[]): string => refused.map((each) => `${JSON.stringify(each)}\n`).join('')

const TAIL = 64 * 1024

/** Cuts off a line that was not written to its end; returns the number of the last line that is reported. */
const cutPartialLine = async (file: FileHandle): Promise<number> => {
  const { size } = await file.stat()
  const start = Math.max(0, size - TAIL)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(TAIL), 0, TAIL, start)
  const tail = buffer.subarray(0, bytesRead)
  const end = tail.lastIndexOf('\n') + 1
  await file.truncate(start + end)
  const last = tail.subarray(0, end).toString().trimEnd().split('\n').at(-1)
  return last ? (JSON.parse(last) as Refused).line : 0
}

/**
 * Opens the file: empty, or as the import that now continues left it. @param
 * recent the last refusals of that import, some of which the file may lack; undefined for a new import
 */
export const openRefusals = async (path: string, recent: readonly Refused[] | undefined): Promise<RefusalsFile> => {
  const file = await open(path, recent ? 'a+' : 'w', 0o600).catch((error: unknown) => {
    throw fileError(path, 'written', error)
  })
  if (recent) {
    const reported = await cutPartialLine(file)
    await file.appendFile(written(recent.filter(({ line }) => line > reported)))
  }
  return {
    path,
    append: (refused) => file.appendFile(written(refused)),
    async close() {
      const { size } = await file.stat()
      await file.close()
      if (size === 0) await rm(path, { force: true })
    },
  }
}
