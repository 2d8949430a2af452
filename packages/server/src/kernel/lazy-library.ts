/** Libraries that a server which only issues tokens never needs: loaded at their first use, for its memory (docs/decisions/0017). */
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** Loads a library at the first call, before it returns. @param name as it is imported */
export const lazyLibrary = <T>(name: string): (() => T) => {
  let library: T | undefined
  return () => {
    library ??= require(name) as T
    return library
  }
}
