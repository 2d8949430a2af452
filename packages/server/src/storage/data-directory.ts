/** The files that the server keeps in DATA_DIR besides the embedded database: the secret key and management.json. */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigurationError } from '../kernel/configuration.ts'
import { newBytes, newId } from '../kernel/ids.ts'

export const secretKeyFile = (dataDir: string): string => join(dataDir, 'secret.key')
export const managementFile = (dataDir: string): string => join(dataDir, 'management.json')

const because = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Writes a file that only its owner can read, completely or not at all. */
const writePrivate = async (path: string, text: string): Promise<void> => {
  const unfinished = `${path}.${newId()}`
  try {
    await writeFile(unfinished, text, { mode: 0o600, flag: 'wx' })
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

/** The master key of the data directory: made at the first start, mode 0600 (DECISIONS A2). */
export const keptSecretKey = async (dataDir: string): Promise<Uint8Array> => {
  const path = secretKeyFile(dataDir)
  try {
    const kept = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    if (kept !== undefined) {
      const key = Buffer.from(kept.trim(), 'base64')
      if (key.length !== 32) throw new Error('it does not hold 32 bytes in base64')
      return new Uint8Array(key)
    }
    const key = newBytes(32)
    await writePrivate(path, `${key.toString('base64')}\n`)
    return new Uint8Array(key)
  } catch (error) {
    throw new ConfigurationError(`The secret key in ${path} cannot be used: ${because(error)}.`)
  }
}

/** Stores the credentials of the Management API where the operator finds them (DECISIONS A3); returns the path. */
export const writeManagementFile = async (dataDir: string, credentials: object): Promise<string> => {
  const path = managementFile(dataDir)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await writePrivate(path, `${JSON.stringify(credentials, null, 2)}\n`)
  return path
}
