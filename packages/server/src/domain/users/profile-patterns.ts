/**
 * Expressions that the values of a field have to match, in an engine whose time is linear in the length of the value (RE2): those
 * of JavaScript can take exponential time, and neither the expression nor the value is the server's own.
 */
import { lazyLibrary } from '../../kernel/lazy-library.ts'

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

/** Whether some part of the value matches. @param pattern one that isPattern has accepted */
export const matchesPattern = (pattern: string, value: string): boolean =>
  re2().RE2JS.compile(pattern).matcher(value).find()
