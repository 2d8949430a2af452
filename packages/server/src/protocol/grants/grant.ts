/**
 * What a grant is. The pipeline (token.ts) owns the phases that all share; a grant declares its parameters, who may
 * use it, and what it concludes. Parameters that it does not declare never reach it.
 */
import type { Client } from '../../domain/applications/clients.ts'
import type { Confirmation } from '../../domain/issued/confirmation.ts'
import type { Parameters } from '../../http/parameters.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Store } from '../../storage/store.ts'
import type { Unit } from '../../storage/unit-of-work.ts'
import type { MachineAuthorization, RedeemedAuthorization } from '../../tokens/authorization.ts'

export interface GrantRequest {
  readonly store: Store
  readonly tenant: Tenant
  readonly client: Client
  readonly parameters: Parameters
  readonly now: Date
  /** What the client has proved to have, to which what is issued is bound; undefined: nothing. */
  readonly confirmation: Confirmation | undefined
  /** Whether the tenant has a script for users' tokens: then its context can be read together with the rest. */
  readonly hasClaimsScript: boolean
  /** Adds facts to the audit entry of a failure: what is known about the request so far. */
  readonly note: (facts: Readonly<Record<string, unknown>>) => void
}

interface GrantFacts {
  /** The value of `grant_type`. */
  readonly type: string
  /** The key of its audit entries. */
  readonly auditKey: string
  /** The only parameters that it sees. All but `resource` may appear only once (RFC 6749 section 3.2). */
  readonly parameters: readonly string[]
  /** Why the client may not use this grant, or undefined when it may; answered as unauthorized_client. */
  readonly refuseClient: (client: Client) => string | undefined
}

/** A grant that consumes nothing, which only machines have: concludes without a transaction. */
export interface DirectGrant extends GrantFacts {
  /** Verifies what the grant requires, or throws OAuthError. */
  readonly authorize: (request: GrantRequest) => Promise<MachineAuthorization>
}

/**
 * A grant that consumes something. What it redeems, what it concludes and what is minted commit together: if anything
 * fails, nothing was issued. A refusal that must be recorded is a Refusal around the OAuthError.
 */
export interface RedeemingGrant extends GrantFacts {
  /**
   * What the request consumes, unverified, or undefined for nothing. Requests for the same thing would wait for one
   * another in the database, each holding a connection; so they wait before they take one.
   */
  readonly contended: (parameters: Parameters) => string | undefined
  /** Fetches what other servers publish, so that nobody waits for them in a transaction. Decides nothing. */
  readonly fetchAhead?: (request: GrantRequest) => Promise<void>
  readonly redeem: (unit: Unit<'Grant.LimitExceeded'>, request: GrantRequest) => Promise<RedeemedAuthorization>
}

export type Grant = DirectGrant | RedeemingGrant
