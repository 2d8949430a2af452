/** Which workloads an application lets authenticate as it (DECISIONS H13): what its operator may write down. */
import type { FederatedCredential } from '@countersign/contract/federated-credentials.ts'
import { ApiError } from '../../kernel/api-error.ts'
import { objectionToClaimName, outermostClaim } from './claim-names.ts'
import { objectionToPattern } from './claim-patterns.ts'
import { isPublicKey } from './client-keys.ts'
import { objectionToHttpUri } from './redirect-uris.ts'
import { type ApplicationType, isConfidential } from './rows.ts'
import { missingOwner } from './shared-issuers.ts'

/** Claims that other members decide, or that no rule can be about. */
const OWN_RULES = ['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti']

type Objection = (credential: FederatedCredential) => string | undefined

const about = (member: string, objection: string | undefined): string | undefined =>
  objection === undefined ? undefined : `${member} ${objection}`

const OBJECTIONS: readonly Objection[] = [
  ({ issuer }) => about('issuer', issuer.includes('?') ? 'has a query' : objectionToHttpUri(issuer)),
  ({ jwksUri }) => about('jwksUri', jwksUri === undefined ? undefined : objectionToHttpUri(jwksUri)),
  ({ jwksUri, jwks }) => (jwksUri !== undefined && jwks ? 'jwksUri and jwks cannot both be set' : undefined),
  ({ jwks }) =>
    jwks && !jwks.keys.every(isPublicKey) ? 'jwks must hold public keys of at least 2048 bits' : undefined,
  ({ subject, claims }) =>
    subject === undefined && !claims
      ? 'accepts every workload of the issuer: subject or claims must be set'
      : undefined,
  ({ subject }) => about('subject', subject === undefined ? undefined : objectionToPattern(subject)),
  ({ claims = [] }) => {
    const own = claims.find(({ name }) => OWN_RULES.includes(outermostClaim(name)))
    return own && `claims cannot have a rule about ${own.name}`
  },
  ({ claims = [] }) => {
    const [wrong] = claims.flatMap(({ name }) => objectionToClaimName(name) ?? [])
    return wrong && `claims: ${wrong}`
  },
  ({ claims = [] }) => {
    const [wrong] = claims.flatMap(({ name, value }) => {
      const objection = objectionToPattern(value)
      return objection === undefined ? [] : [`the value of ${name} ${objection}`]
    })
    return wrong
  },
  missingOwner,
]

/** Refuses credentials that cannot be used, that would let anyone in, or that cannot be told apart, naming the first; 400. Fetches nothing. */
export const assertFederatedCredentials = (
  type: ApplicationType,
  credentials: readonly FederatedCredential[],
): void => {
  const refuse = (at: string, reason: string) =>
    new ApiError('guard.invalid_input', {
      reason: `federatedCredentials${at === '' ? '' : `[${at}]`} ${reason}`,
      issues: [{ path: `/customClientMetadata/federatedCredentials${at === '' ? '' : `/${at}`}`, reason }],
    })
  if (credentials.length > 0 && !isConfidential(type))
    throw refuse('', `cannot be set: applications of type ${type} are public and do not authenticate`)
  for (const [index, credential] of credentials.entries()) {
    for (const objection of OBJECTIONS) {
      const reason = objection(credential)
      if (reason !== undefined) throw refuse(String(index), reason)
    }
    if (credentials.findIndex(({ name }) => name === credential.name) !== index)
      throw refuse(String(index), 'has the name of another credential')
  }
}
