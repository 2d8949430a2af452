import { misconfigured } from '../errors/misconfigured.ts'
import { type InsecureOptions, secureUrl } from './secure-url.ts'

/** An issuer identifier: a secure URL without query and fragment (RFC 8414 §2). It is compared byte for byte. */
export function checkedIssuer(issuer: string, options: InsecureOptions): string {
  secureUrl('issuer', issuer, options)
  if (issuer.includes('?')) throw misconfigured('issuer must have no query')
  return issuer
}
