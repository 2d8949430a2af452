/** Which request a DPoP proof is for: `htm` and `htu` (RFC 9449 section 4.3, points 8 and 9). */
import { ProofRefused } from './refused.ts'

export interface ProvenTarget {
  readonly method: string
  /** Of this server: scheme, host and path as they are registered, never those of the Host header. The first is the usual one. */
  readonly urls: readonly string[]
}

/** Escapes of characters that need none, and the case of escapes, mean nothing (RFC 3986 section 6.2.2). */
const normalPath = (path: string): string =>
  path.replace(/%[0-9a-f]{2}/gi, (escaped) => {
    const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16))
    return /[\w.~-]/.test(character) ? character : escaped.toUpperCase()
  })

/** Scheme, host and path in normal form; undefined for what is no address of an HTTP server. */
const normal = (text: string): string | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.username || url.password) return undefined
  return url.origin + normalPath(url.pathname)
}

/** Throws ProofRefused unless the proof is for this method and this address, whose query and fragment do not count. */
export const assertTarget = ({ htm, htu }: Readonly<Record<string, unknown>>, { method, urls }: ProvenTarget): void => {
  // HEAD asks for the same as GET, and reaches an endpoint as that
  if (htm !== method && !(method === 'GET' && htm === 'HEAD'))
    throw new ProofRefused('htm is not the method of the request')
  if (urls.some((url) => htu === url)) return
  const named = typeof htu === 'string' ? normal(htu) : undefined
  if (named === undefined || !urls.some((url) => named === normal(url)))
    throw new ProofRefused(`htu is not the address of the request, ${urls[0]}`)
}
