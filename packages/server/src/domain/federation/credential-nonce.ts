/** The nonce of an ID token that came without a request, read before anything of it is verified. */
import { decodeJwt } from 'jose'

/** Undefined: it has none, or is no JWT. */
export const nonceIn = (credential: string): string | undefined => {
  try {
    const { nonce } = decodeJwt(credential)
    return typeof nonce === 'string' ? nonce : undefined
  } catch {
    return undefined
  }
}
