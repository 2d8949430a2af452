import type { Credentials } from '../bearer/credentials.ts'
import { checkProof } from '../dpop/check-proof.ts'
import type { ProofTerms } from '../dpop/options.ts'
import { GuardError } from '../errors/guard-error.ts'
import { checkCertificate } from '../mtls/check-certificate.ts'
import type { MutualTlsOptions } from '../mtls/options.ts'
import type { AccessTokenClaims } from '../token/claims.ts'

/** How an API takes bound tokens; `undefined`: it takes none that are bound in that way. */
export interface BindingTerms {
  readonly dpop: ProofTerms | undefined
  readonly mtls: MutualTlsOptions | undefined
}

const member = (cnf: unknown, name: string): unknown =>
  typeof cnf === 'object' && cnf !== null && name in cnf ? (cnf as Record<string, unknown>)[name] : undefined

/**
 * Refuses a bound token of a caller who does not prove that they hold it: each of a key (RFC 9449 §7) and a certificate (RFC 8705 §3) that
 * it is bound to. A token that is presented as what it is not, and one that is bound in a way unknown here (RFC 7800), is refused too.
 * A proof is used up.
 */
export async function checkBinding(
  { cnf }: AccessTokenClaims,
  credentials: Credentials,
  { dpop, mtls }: BindingTerms,
): Promise<void> {
  const x5t = mtls && member(cnf, 'x5t#S256')
  if (mtls && x5t !== undefined) await checkCertificate(x5t, credentials.connection, mtls)
  else if (mtls?.required) throw new GuardError('certificate_missing')
  const isBoundByKey = cnf !== undefined && (x5t === undefined || member(cnf, 'jkt') !== undefined)
  if (isBoundByKey) return checkProof(member(cnf, 'jkt'), credentials, dpop)
  if (credentials.scheme === 'DPoP' || dpop?.required) throw new GuardError('token_not_bound')
}
