/** The nonce of an ID token that came without a request, read before anything of it is verified. */
import type * as Jose from 'jose'
import { lazyLibrary } from '../../kernel/lazy-library.ts'

const jose = lazyLibrary<typeof Jose>('jose')

/** Undefined: it has none, or is no JWT. */
export const nonceIn = (credential: string): string | undefined => {
  try {
    const { nonce } = jose().decodeJwt(credential)
    return typeof nonce === 'string' ? nonce : undefined
  } catch {
    return undefined
  }
}
