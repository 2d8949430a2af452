/** Files that may be replaced while the process runs. */
import { stat } from 'node:fs/promises'

/** Identifies a state of the files. */
const stampOf = async (files: readonly string[]): Promise<string> => {
  const stamps = files.map(async (file) => {
    try {
      const { ino, size, mtimeMs } = await stat(file)
      return `${ino} ${size} ${mtimeMs}`
    } catch {
      return 'there is none'
    }
  })
  return (await Promise.all(stamps)).join(', ')
}

const CHECK_MS = 1000

/**
 * Calls back whenever one of the files has changed and all of them then stayed the same from one check to the next, a second later: what
 * writes them is done. Begins with their state at the call. @param changed must not reject
 */
export const watchFiles = async (
  files: readonly string[],
  changed: () => Promise<void>,
): Promise<{ readonly close: () => void }> => {
  let settled = await stampOf(files)
  let seen = settled
  let isChecking = false
  const check = async () => {
    const before = seen
    seen = await stampOf(files)
    if (seen === settled || seen !== before) return
    settled = seen
    await changed()
  }
  const timer = setInterval(async () => {
    if (isChecking) return
    isChecking = true
    await check()
    isChecking = false
  }, CHECK_MS).unref()
  return { close: () => clearInterval(timer) }
}
