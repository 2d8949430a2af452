/**
 * The feed of what ended (DECISIONS G17): read by cursor, and waited for. What it says is of use only to who holds a token:
 * each entry is a digest of what the token names.
 */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { toNumericDate } from '../../kernel/clock.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { decodeCursor, encodeCursor } from '../../storage/page.ts'
import type { Store } from '../../storage/store.ts'
import { createWaiting, type Subscribe } from '../../storage/waiting.ts'
import { numberRevocations, type RevocationKind } from './revocations.ts'

/** One entry: refuse every token that names this. */
export interface Revocation {
  /** The digest of `kind:value`. */
  readonly id: string
  /** Numeric date from which no such token is alive. */
  readonly exp: number
  /** Numeric date: only tokens that were issued then or earlier. */
  readonly iat?: number
}

export interface RevocationPage {
  readonly revocations: readonly Revocation[]
  readonly cursor: string
  /** Whether there are more already. */
  readonly hasMore: boolean
}

export interface RevocationFeed {
  /**
   * What ended since the cursor, at once if anything did, otherwise as soon as something does, at the latest after so many
   * seconds. Without a cursor, and with one from before the database was restored: everything that still matters. Undefined for
   * what is no cursor. When too many wait, the answer comes at once.
   * @param signal ends the waiting
   */
  read(
    tenant: Tenant,
    after: string | undefined,
    seconds: number,
    signal: AbortSignal,
  ): Promise<RevocationPage | undefined>
  /** Answers all who wait. */
  close(): void
}

/** The most entries in an answer: half a megabyte. */
const MOST = 5000
/** 96 bits: a token that was not revoked matches one of a million by chance once in 10^22 times. */
const DIGEST_BYTES = 12

/** What stands for a `jti`, a grant, a session, a user or an application in the feed. */
const digestOf = (kind: RevocationKind, value: string): string =>
  createHash('sha256').update(`${kind}:${value}`).digest().subarray(0, DIGEST_BYTES).toString('base64url')

/** The number in a cursor; undefined: it is none. */
const positionOf = (cursor: string): number | undefined => {
  const match = /^r(\d{1,15})$/.exec(decodeCursor(cursor) ?? '')
  return match ? Number(match[1]) : undefined
}

interface Row {
  readonly kind: RevocationKind
  readonly subject: string
  readonly issued_until: Date | null
  readonly sequence: number
  readonly expires_at: Date
}

interface Nothing {
  readonly kind: null
}

const toRevocation = ({ kind, subject, issued_until, expires_at }: Row): Revocation => ({
  id: digestOf(kind, subject),
  exp: toNumericDate(expires_at),
  ...(issued_until ? { iat: toNumericDate(issued_until) } : {}),
})

const readPage = async (store: Store, tenant: Tenant, after: number): Promise<RevocationPage> => {
  const { id } = tenant
  const isBehind = await numberRevocations(store, id)
  const { rows } = await sql<(Row | Nothing) & { readonly last: number }>`
    SELECT s.last_sequence AS last, r.* FROM revocation_sequences s LEFT JOIN LATERAL (
      SELECT kind, subject, issued_until, sequence, expires_at FROM revocations
      WHERE tenant_id = s.tenant_id AND expires_at > ${store.clock.now()}
        AND sequence > CASE WHEN s.last_sequence < ${after}::bigint THEN 0 ELSE ${after}::bigint END
      ORDER BY sequence LIMIT ${MOST + 1}) r ON true
    WHERE s.tenant_id = ${id} ORDER BY sequence`.execute(store.database.kysely)
  const found = rows.filter((row) => row.kind !== null)
  // all of the batch had ended by time
  if (isBehind && found.length === 0) return readPage(store, tenant, after)
  const entries = found.slice(0, MOST)
  const reached = entries.at(-1)?.sequence ?? Math.min(after, rows[0]?.last ?? 0)
  return {
    revocations: entries.map(toRevocation),
    cursor: encodeCursor(`r${reached}`),
    hasMore: found.length > MOST || isBehind,
  }
}

/** @param onRevocation calls back when something of a tenant, or of any, has ended; returns a function that stops it */
export const createRevocationFeed = (store: Store, onRevocation: Subscribe): RevocationFeed => {
  const waiting = createWaiting(onRevocation)
  store.metrics.gauge('countersign_revocation_waits', 'Requests that wait for the revocation feed', waiting.count)
  return {
    async read(tenant, after, seconds, signal) {
      const position = after === undefined ? 0 : positionOf(after)
      if (position === undefined) return undefined
      return waiting.readUntil(tenant, seconds, signal, async (isLast) => {
        const page = await readPage(store, tenant, position)
        return isLast || page.revocations.length > 0 || after === undefined ? page : undefined
      })
    },
    close: waiting.close,
  }
}
