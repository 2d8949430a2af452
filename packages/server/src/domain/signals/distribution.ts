/**
 * What happened to users becomes events in the streams of those who are told (DECISIONS K12): after the commit, in order, by one node
 * at a time, in the transaction that forgets it, so that nothing is lost and nothing is told twice to one stream.
 */
import { createHash } from 'node:crypto'
import { SIGNAL_EVENTS } from '@countersign/contract/shared-signals.ts'
import { sql } from 'kysely'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Db } from '../../storage/database.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { aloneOn } from '../../storage/statement.ts'
import type { Store } from '../../storage/store.ts'
import { findClient } from '../applications/clients.ts'
import { subjectFor } from '../applications/subjects.ts'
import { readHolder, userinfoClaimsOf } from '../sign-in/identity.ts'
import { tenantDirectory } from '../tenants/tenants.ts'
import { appendEvents, isFull, pauseFullStream, recordFullStream } from './backlog.ts'
import { contentOf, type SubjectIdentifier, scopeNeeded, type UserSignal } from './event-types.ts'
import { deliveredEvents, type Receiver, receiverOf, type StreamRow } from './rows.ts'

/** The most rows at once. */
const BATCH = 500
/** The claims of tokens that a change of roles or organizations changes. */
const CLAIMS: ReadonlySet<string> = new Set(['roles', 'organizations', 'organization_roles'])

/** What happened, for one stream of the tenant. */
interface Row {
  readonly position: number
  readonly kind: UserSignal['kind']
  readonly user_id: string
  readonly application_id: string | null
  readonly session_id: string | null
  readonly details: Record<string, unknown>
  readonly transaction: string
  readonly happened_at: Date
  readonly is_over: boolean
  /** Whether the user was deleted with it. */
  readonly is_of_purge: boolean
  readonly email: string | null
  readonly stream_id: string
  /** Whether the receiver added the user; null: neither added nor removed. */
  readonly is_included: boolean | null
  /** Of the grants that the receiver has of the user, or had until what happened; null: none. */
  readonly scopes: string[] | null
  /** Whether one of them was made in the session. */
  readonly knows_session: boolean | null
}

/** What is told next. */
const nextPositions = async (tx: Db, tenantId: string): Promise<number[]> => {
  const rows = await tx
    .selectFrom('user_signals')
    .select('position')
    .where(inTenant(tenantId))
    .where('is_told', '=', false)
    .orderBy('position')
    .limit(BATCH)
    .execute()
  return rows.map(({ position }) => position)
}

/** What happened at these positions, once for each stream, with who the users are to its receiver. */
const readRows = async (
  tx: Db,
  tenantId: string,
  now: Date,
  positions: readonly number[],
  streams: readonly StreamRow[],
): Promise<Row[]> => {
  const [ids, applicationIds] = [streams.map(({ id }) => id), streams.map((each) => each.application_id)]
  const { rows } = await sql<Row>`
    WITH batch AS MATERIALIZED (
      SELECT * FROM user_signals WHERE tenant_id = ${tenantId} AND position = ANY(${positions}::bigint[]))
    SELECT b.position, b.kind, b.user_id, b.application_id, b.session_id, b.details, b.transaction, p.transaction IS NOT DISTINCT FROM b.transaction AS is_of_purge,
      least(b.recorded_at, ${now}::timestamptz) AS happened_at, coalesce(b.ends_at <= ${now}, false) AS is_over,
      coalesce(u.primary_email, p.details ->> 'email') AS email, s.id AS stream_id, x.is_included, known.scopes, known.knows_session
    FROM batch b CROSS JOIN unnest(${ids}::text[], ${applicationIds}::text[]) AS s (id, application_id)
    LEFT JOIN users u ON u.tenant_id = b.tenant_id AND u.id = b.user_id
    LEFT JOIN user_signals p ON p.tenant_id = b.tenant_id AND p.user_id = b.user_id AND p.kind = 'purged'
    LEFT JOIN signal_subjects x ON x.tenant_id = b.tenant_id AND x.stream_id = s.id AND x.user_id = b.user_id
    CROSS JOIN LATERAL (
      SELECT array_agg(DISTINCT scope) FILTER (WHERE scope IS NOT NULL) AS scopes, bool_or(held.session_id = b.session_id) AS knows_session
      FROM (
        SELECT g.scopes, coalesce(g.session_id, g.original_session_id) AS session_id FROM grants g
        WHERE g.tenant_id = b.tenant_id AND g.user_id = b.user_id AND g.application_id = s.application_id AND g.expires_at > ${now}
        UNION ALL
        SELECT ARRAY(SELECT jsonb_array_elements_text(e.details -> 'scopes')), e.session_id FROM user_signals e
        WHERE e.tenant_id = b.tenant_id AND e.user_id = b.user_id AND e.kind = 'grant' AND e.application_id = s.application_id
      ) held LEFT JOIN LATERAL unnest(held.scopes || ''::text) AS scope ON true
    ) known
    ORDER BY b.position, s.id`.execute(tx)
  return rows
}

/**
 * Forgets what was told. Grants that ended stay as long as something of their transaction is to be told; what a receiver wanted of a user
 * who is gone goes.
 */
const forgetTold = async (tx: Db, tenantId: string, positions: readonly number[]): Promise<void> => {
  const told = sql`tenant_id = ${tenantId} AND position = ANY(${positions}::bigint[])`
  await sql`
    DELETE FROM signal_subjects x USING user_signals p
    WHERE p.tenant_id = ${tenantId} AND p.position = ANY(${positions}::bigint[]) AND p.kind = 'purged'
      AND x.tenant_id = p.tenant_id AND x.user_id = p.user_id`.execute(tx)
  await sql`DELETE FROM user_signals WHERE ${told} AND kind <> 'grant'`.execute(tx)
  await sql`UPDATE user_signals SET is_told = true WHERE ${told}`.execute(tx)
  await sql`
    DELETE FROM user_signals g WHERE g.tenant_id = ${tenantId} AND g.is_told AND NOT EXISTS (
      SELECT FROM user_signals o WHERE o.tenant_id = g.tenant_id AND o.transaction = g.transaction AND NOT o.is_told)`.execute(
    tx,
  )
}

/** Whether the receiver is told of the user at all. */
const isAbout = (row: Row, { setting }: Receiver): boolean =>
  row.is_included ?? (setting.defaultSubjects !== 'NONE' && row.scopes !== null)

const userSubject = (store: Store, tenant: Tenant, { client, setting }: Receiver, row: Row): SubjectIdentifier => {
  const sub = subjectFor(store, tenant, client, row.user_id)
  if (setting.subjectFormat === 'email' && row.email !== null) return { format: 'email', email: row.email }
  return setting.subjectFormat === 'opaque'
    ? { format: 'opaque', id: sub }
    : { format: 'iss_sub', iss: tenant.issuer, sub }
}

const signalOf = ({ kind, session_id, details }: Row): UserSignal =>
  ({ kind, sessionId: session_id, details }) as unknown as UserSignal

/** The claims that changed, as a token would have them now: of the scopes that the receiver was granted. */
const claimsFor = async (tx: Db, tenant: Tenant, { client }: Receiver, { user_id, scopes }: Row) => {
  const granted = scopes ?? []
  const holder = await readHolder(aloneOn(tx), tenant, { userId: user_id, scopes: granted, client })
  const claims = holder ? userinfoClaimsOf(holder, granted) : {}
  return Object.fromEntries(Object.entries(claims).filter(([name]) => CLAIMS.has(name)))
}

/** The same for all events of a change, and for no others. */
const transactionOf = ({ id }: Tenant, { transaction, user_id }: Row): string =>
  createHash('sha256').update(`${id}/${transaction}/${user_id}`).digest().subarray(0, 16).toString('base64url')

/** What a stream is told of a row; undefined: nothing. */
const eventFor = async (store: Store, tx: Db, tenant: Tenant, receiver: Receiver, stream: StreamRow, row: Row) => {
  const signal = signalOf(row)
  // credentials that went with the user are said by the purge
  if (row.is_over || (row.is_of_purge && row.kind === 'credential') || !isAbout(row, receiver)) return undefined
  if (row.kind === 'grant' && row.application_id !== stream.application_id) return undefined
  if (row.kind === 'session' && !row.knows_session) return undefined
  const scope = scopeNeeded(signal)
  if (scope !== undefined && !row.scopes?.includes(scope)) return undefined
  const isOfClaims = row.kind === 'roles' || row.kind === 'organizations'
  const isWanted = (name: string) => deliveredEvents(receiver, stream).some((each) => each === name)
  if (isOfClaims && !isWanted('token-claims-change')) return undefined
  const claims = isOfClaims ? await claimsFor(tx, tenant, receiver, row) : {}
  const content = contentOf(signal, userSubject(store, tenant, receiver, row), row.happened_at, claims)
  if (!content || !isWanted(content.event)) return undefined
  return {
    txn: transactionOf(tenant, row),
    sub_id: content.subject,
    events: { [SIGNAL_EVENTS[content.event]]: content.payload },
  }
}

const TOLD_ONCE: ReadonlySet<Row['kind']> = new Set(['session', 'grant', 'roles', 'organizations'])

/** What several rows of a transaction say: of a session, and of the claims of a user, a stream is told once. Undefined: only this row says it. */
const saidBy = ({ kind, user_id, session_id, transaction }: Row): string | undefined =>
  TOLD_ONCE.has(kind) ? [transaction, session_id ?? user_id].join('/') : undefined

interface Told {
  readonly isBehind: boolean
  /** Streams that were paused, because their receivers have left too much unread. */
  readonly full: readonly StreamRow[]
}

const tellBatch = (store: Store, tenant: Tenant): Promise<Told> =>
  store.database.kysely.transaction().execute(async (tx) => {
    const now = store.clock.now()
    // in one order, and one node at a time: what comes later is told later
    const all = await tx
      .selectFrom('signal_streams')
      .selectAll()
      .where(inTenant(tenant.id))
      .orderBy('id')
      .forNoKeyUpdate()
      .execute()
    const streams = all.filter(({ status }) => status !== 'disabled')
    const positions = await nextPositions(tx, tenant.id)
    const rows = streams.length > 0 ? await readRows(tx, tenant.id, now, positions, streams) : []
    const full: StreamRow[] = []
    for (const stream of streams) {
      const own = rows.filter(({ stream_id }) => stream_id === stream.id)
      const receiver = receiverOf(await findClient(store, tenant, stream.application_id))
      if (!receiver) continue
      const [said, events] = [new Set<string | undefined>(), [] as object[]]
      for (const row of own) {
        const what = saidBy(row)
        const event =
          what !== undefined && said.has(what) ? undefined : await eventFor(store, tx, tenant, receiver, stream, row)
        if (!event) continue
        said.add(what)
        events.push(event)
      }
      if (events.length === 0) continue
      if (!(await isFull(tx, stream))) await appendEvents(tx, stream, events, now)
      else if (await pauseFullStream(tx, stream, now)) full.push(stream)
    }
    await forgetTold(tx, tenant.id, positions)
    return { isBehind: positions.length === BATCH, full }
  })

/** Tells the streams of a tenant what has been committed; any number of nodes may do it at once. */
export const tellReceivers = async (store: Store, tenant: Tenant): Promise<void> => {
  for (let isBehind = true; isBehind; ) {
    const waiting = await sql`SELECT FROM user_signals WHERE tenant_id = ${tenant.id} AND NOT is_told LIMIT 1`.execute(
      store.database.kysely,
    )
    if (waiting.rows.length === 0) return
    const told = await tellBatch(store, tenant)
    for (const stream of told.full) await recordFullStream(store, tenant, stream)
    isBehind = told.isBehind
  }
}

/** The same for every tenant: otherwise what nobody asks for would stay for ever. */
export const tellAllReceivers = async (store: Store): Promise<void> => {
  const { rows } = await sql<{ tenant_id: string }>`
    SELECT DISTINCT tenant_id FROM user_signals WHERE NOT is_told`.execute(store.database.kysely)
  const { byId } = await tenantDirectory(store)
  for (const { tenant_id } of rows) {
    const tenant = byId.get(tenant_id)
    if (!tenant) continue
    // another tenant's receivers do not wait for it
    await tellReceivers(store, tenant).catch((error: unknown) =>
      store.log.warn({ err: error, tenantId: tenant_id }, 'the receivers of a tenant could not be told'),
    )
  }
}
