import { GuardError } from '../errors/guard-error.ts'

// Countersign issues at most 8 KiB; twice that leaves room for other issuers and bounds the work that an
// unauthenticated caller can cause.
const longest = 16_384

// The canonical form of RFC 4648 §3.5: groups of four, and no bits left over in the last character.
const segment = /^(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-][AQgw]|[A-Za-z0-9_-]{2}[AEIMQUYcgkosw048])?$/

/**
 * Refuses what is not three segments of canonical, non-empty base64url (RFC 7515 §7.1, §2: no padding, line breaks or
 * white space). Decoders are lenient there, which would give one token many encodings: a deny list of token
 * values could be bypassed by changing a bit that no decoder reads.
 */
export function checkCompactJws(token: string): void {
  const segments = token.length <= longest ? token.split('.') : []
  if (segments.length === 3 && segments.every((part) => part !== '' && segment.test(part))) return
  throw new GuardError('token_malformed')
}
