/**
 * Regular expressions of tenants, in an engine whose time is linear in the length of the value (RE2): those of JavaScript can take
 * exponential time, and neither the expression nor the value is the server's own.
 */
import { lazyLibrary } from './lazy-library.ts'

const re2 = lazyLibrary<typeof import('re2js')>('re2js')

/** Whether a text is an expression that is accepted here: RE2 has no look-around and no back references. */
export const isPattern = (pattern: string): boolean => {
  try {
    re2().RE2JS.compile(pattern)
    return true
  } catch {
    return false
  }
}

/** A test for many values: whether some part of the value matches. @param pattern one that isPattern has accepted */
export const patternTest = (pattern: string): ((value: string) => boolean) => {
  const compiled = re2().RE2JS.compile(pattern)
  return (value) => compiled.matcher(value).find()
}

/** Whether some part of the value matches. @param pattern one that isPattern has accepted */
export const matchesPattern = (pattern: string, value: string): boolean => patternTest(pattern)(value)
