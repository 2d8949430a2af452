/** Where an export goes: a new file for its owner only, or standard output. */
import { type FileHandle, open } from 'node:fs/promises'
import { fileError } from './file-error.ts'

export interface Output {
  write(text: string): Promise<void>
  close(): Promise<void>
}

const toStandardOutput = (text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()))
  })

/**
 * @param path a file that does not exist yet; standard output by default. Throws an explanation when it cannot be
 * created.
 */
export const openOutput = async (path: string | undefined): Promise<Output> => {
  // the reader of the pipe may have read enough
  process.stdout.on('error', () => process.exit(1))
  if (path === undefined) return { write: toStandardOutput, close: async () => undefined }
  let file: FileHandle
  try {
    file = await open(path, 'wx', 0o600)
  } catch (error) {
    throw fileError(path, 'written', error)
  }
  return { write: (text) => file.appendFile(text), close: () => file.close() }
}
