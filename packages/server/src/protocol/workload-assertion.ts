/**
 * Workloads that authenticate as an application with a token of their own platform (RFC 7521 section 4.2, RFC 7523 section 3, DECISIONS
 * H13): the token is the client assertion, its subject is the workload, and `client_id` says which application it is to be.
 */
import type { FederatedCredential } from '@countersign/contract/federated-credentials.ts'
import { claimNamed } from '../domain/applications/claim-names.ts'
import { matchesPattern } from '../domain/applications/claim-patterns.ts'
import { useClientAssertion } from '../domain/applications/client-assertions.ts'
import type { Client } from '../domain/applications/clients.ts'
import { keysOfIssuer } from '../domain/applications/issuer-keys.ts'
import { toNumericDate } from '../kernel/clock.ts'
import type { Tenant } from '../kernel/tenant.ts'
import type { Store } from '../storage/store.ts'
import { type ParsedJws, parseJws } from '../tokens/jws.ts'
import { CLOCK_TOLERANCE } from './client-jwt.ts'
import { refuseAudience, refuseSignature, refuseTime, shown } from './foreign-jwt.ts'

/** How far ahead `exp` may be, and so the longest that a `jti` is remembered. Seconds. */
const LONGEST_LIFE = 86_400
/** What a workload presents, with what it is held to. */
interface Presented {
  readonly claims: ParsedJws['claims']
  readonly credential: FederatedCredential
  readonly tenant: Tenant
  /** Seconds. */
  readonly now: number
}

/** A claim as patterns are compared with it; undefined: it is nothing that they could be. */
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined

const refuseSubject = ({ claims: { sub }, credential: { subject } }: Presented): string | undefined => {
  if (typeof sub !== 'string' || sub === '') return `sub is ${shown(sub)}`
  return subject === undefined || matchesPattern(subject, sub) ? undefined : `sub is ${shown(sub)}, not ${subject}`
}

const refuseClaims = ({ claims, credential: { claims: rules = [] } }: Presented): string | undefined => {
  for (const { name, value } of rules) {
    const said = claimNamed(claims, name)
    const text = textOf(said)
    if (text === undefined || !matchesPattern(value, text)) return `${name} is ${shown(said)}, not ${value}`
  }
  return undefined
}

/** A token that can be used once has to be told from others. */
const refuseIdentity = ({ claims: { jti }, credential: { isReusable } }: Presented): string | undefined =>
  isReusable || (typeof jti === 'string' && jti !== '' && jti.length <= 256)
    ? undefined
    : `jti is ${shown(jti)}, so that it could be used again: isReusable would allow that`

const RULES: readonly ((presented: Presented) => string | undefined)[] = [
  ({ claims, credential, tenant }) => refuseAudience(claims, credential.audience ?? tenant.issuer),
  ({ claims, now }) => refuseTime(claims, now, LONGEST_LIFE),
  refuseSubject,
  refuseClaims,
  refuseIdentity,
]

/** Tokens of these types are for something else (RFC 8725 section 3.11); workloads' have none, or the general one. */
const isOfAnotherKind = (typ: unknown): boolean => typ !== undefined && !/^jwt$/i.test(String(typ))

/** What a token that authenticates leaves in the audit log. */
type WorkloadFacts = Readonly<Record<'federatedCredential' | 'workloadIssuer' | 'workloadSubject', string>>

/**
 * The workload that authenticates as the client, or why there is none: what each credential with its issuer says against it. Consumes the
 * token, unless the credential lets it be used again: its `jti` is accepted once until it expires, across all nodes (SECURITY R-5).
 */
export const authenticateWorkload = async (
  store: Store,
  tenant: Tenant,
  client: Client,
  assertion: string,
  now: Date,
): Promise<WorkloadFacts | string> => {
  const parsed = parseJws(assertion)
  if (!parsed || isOfAnotherKind(parsed.header.typ)) return 'the assertion is not a token of a workload'
  const { claims } = parsed
  const { iss, sub, jti, exp } = claims
  const credentials = client.metadata.federatedCredentials?.filter(({ issuer }) => issuer === iss) ?? []
  const reasons: string[] = []
  for (const credential of credentials) {
    const presented = { claims, credential, tenant, now: toNumericDate(now) }
    const reason =
      (await refuseSignature((isEnough) => keysOfIssuer(store, credential, isEnough), assertion)) ??
      RULES.map((refuse) => refuse(presented)).find((each) => each !== undefined)
    if (reason !== undefined) {
      reasons.push(`${credential.name}: ${reason}`)
      continue
    }
    if (!credential.isReusable) {
      const until = new Date((Number(exp) + CLOCK_TOLERANCE) * 1000)
      // an issuer does not know the ids of another
      const isFirst = await useClientAssertion(store, tenant, client.id, `${iss} ${jti}`, until)
      if (!isFirst) return `${credential.name}: the token was used before`
    }
    return { federatedCredential: credential.name, workloadIssuer: String(iss), workloadSubject: String(sub) }
  }
  return reasons.length > 0 ? reasons.join('; ') : `no federated credential has the issuer ${shown(iss)}`
}
