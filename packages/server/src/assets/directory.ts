/** Files in a local directory: a file gets its name when it is on the disk, so that a partial one is never visible. */
import { mkdir, open, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { AssetFiles } from '../kernel/assets.ts'

/** Suffix of a file that is being written; also removed with the file if the process died meanwhile. */
const temporary = (target: string): string => `${target}.part`

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')

/** undefined where there is no such file. */
const ifThere = <T>(found: Promise<T>): Promise<T | undefined> =>
  found.catch((error: unknown) => {
    if (isMissing(error)) return undefined
    throw error
  })

/** Waits until changes of a directory or file are on the disk. */
const flush = async (path: string): Promise<void> => {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const writeWhole = async (target: string, bytes: Buffer): Promise<void> => {
  const handle = await open(temporary(target), 'w', 0o600)
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(temporary(target), target)
}

/** Creates the directory with the first file. @param root absolute */
export const directoryFiles = (root: string): AssetFiles => {
  const at = (path: string) => join(root, path)

  const put = async (path: string, bytes: Buffer): Promise<void> => {
    const target = at(path)
    const made = await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    try {
      await writeWhole(target, bytes)
      await flush(dirname(target))
      // the entry of a new directory is in its parent
      if (made) await flush(dirname(made))
    } catch (error) {
      await rm(temporary(target), { force: true }).catch(() => undefined)
      throw error
    }
  }
  const remove = async (path: string): Promise<void> => {
    for (const each of [at(path), temporary(at(path))]) await rm(each, { force: true })
  }

  return {
    put,
    remove,
    async get(path) {
      const handle = await ifThere(open(at(path), 'r'))
      if (!handle) return undefined
      try {
        const { size } = await handle.stat()
        return { bytes: size, content: handle.createReadStream() }
      } catch (error) {
        await handle.close()
        throw error
      }
    },
    async has(path) {
      return (await ifThere(stat(at(path)))) !== undefined
    },
    async check() {
      const probe = `.check-${process.pid}`
      const made = await mkdir(root, { recursive: true, mode: 0o700 })
      await put(probe, Buffer.from('countersign'))
      await remove(probe)
      // a server may have stored something there meanwhile
      if (made) await rmdir(root).catch(() => undefined)
      return root
    },
  }
}
