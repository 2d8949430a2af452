/**
 * Hooks: addresses that events are sent to. Every change first numbers what is committed (DECISIONS K5), so that a hook
 * gets exactly the events that were numbered while it was enabled and subscribed to them.
 */

import type { HookCreate, HookUpdate } from '@countersign/contract/hooks.ts'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { ApiError, notFound } from '../../kernel/api-error.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { newId, newSigningKey } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { Withheld } from '../../storage/audit-entities.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { numberEventsWithin } from '../../storage/outbox.ts'
import { type Page, type PageRequest, paginate } from '../../storage/page.ts'
import type { Store } from '../../storage/store.ts'
import { operation, Refusal, type Unit } from '../../storage/unit-of-work.ts'
import { wakeSenders } from './deliveries.ts'
import { assertTarget, HOOKS_TAG, type HookRow, headersOf, readHook, sealPart } from './rows.ts'

/** How long the previous key signs too. */
const BOTH_KEYS_SECONDS = 86_400
const NO_EVENTS = new ApiError('hook.missing_events')

/** The hooks of a tenant, newest first. */
export const listHooks = ({ database: { kysely } }: Store, { id }: Tenant, page: PageRequest): Promise<Page<HookRow>> =>
  paginate(kysely, kysely.selectFrom('hooks').selectAll().where(inTenant(id)), page)

export const getHook = ({ database }: Store, tenant: Tenant, id: string): Promise<HookRow> =>
  readHook(database.kysely, tenant, id)

/** Creates a hook. Throws 400 when it subscribes to no event or its target is not allowed. */
export const createHook = operation([], async (unit, input: Static<typeof HookCreate>): Promise<HookRow> => {
  const { tx, tenant, now, vault, changed } = unit
  const { name = '', event = null, config, enabled = true, ordered = false } = input
  const events = input.events?.length ? input.events : event ? [event] : []
  if (events.length === 0) throw NO_EVENTS
  assertTarget(config)
  await numberEventsWithin(tx, tenant.id)
  const id = newId()
  changed(HOOKS_TAG)
  unit.concerns('hook', id, { after: { name } })
  return tx
    .insertInto('hooks')
    .values({
      tenant_id: tenant.id,
      id,
      name,
      event,
      events,
      url: config.url,
      sealed_headers: sealPart(vault, tenant.id, id, 'headers', JSON.stringify(config.headers ?? {})),
      sealed_key: sealPart(vault, tenant.id, id, 'key', newSigningKey()),
      retries: config.retries ?? null,
      is_enabled: enabled,
      is_ordered: ordered,
      created_at: now,
      ...(enabled ? {} : { disabled_at: now, disabled_reason: 'Requested' as const }),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
})

/** What the audit log records about a change: a URL may contain a secret, and headers do. */
const fieldsOf = ({ vault }: Unit, row: HookRow) => ({
  name: row.name,
  events: row.events,
  url: new Withheld(row.url),
  headers: new Withheld(headersOf(vault, row)),
  retries: row.retries,
  enabled: row.is_enabled,
  ordered: row.is_ordered,
})

const HEALTHY = { disabled_at: null, disabled_reason: null, failures: 0, failing_since: null, paused_until: null }

/** Changes a hook. Throws 404, and 400 as createHook does. */
export const updateHook = operation(
  [],
  async (unit, id: string, change: Static<typeof HookUpdate>): Promise<HookRow> => {
    const { tx, tenant, now, vault } = unit
    const { name, event, config, enabled, ordered } = change
    if (config) assertTarget(config)
    await numberEventsWithin(tx, tenant.id)
    const before = await readHook(tx, tenant, id, true)
    const events = change.events ?? (event ? [event] : before.events)
    if (events.length === 0) throw NO_EVENTS
    const isTurned = enabled !== undefined && enabled !== before.is_enabled
    const row = await tx
      .updateTable('hooks')
      .set({
        events,
        ...(name === undefined ? {} : { name }),
        ...(event === undefined ? {} : { event }),
        ...(ordered === undefined ? {} : { is_ordered: ordered }),
        ...(config
          ? {
              url: config.url,
              sealed_headers: sealPart(vault, tenant.id, id, 'headers', JSON.stringify(config.headers ?? {})),
              retries: config.retries ?? null,
            }
          : {}),
        ...(isTurned ? { is_enabled: enabled } : {}),
        ...(isTurned && !enabled ? { disabled_at: now, disabled_reason: 'Requested' as const } : {}),
        ...(isTurned && enabled ? HEALTHY : {}),
      })
      .where(inTenant(tenant.id))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    unit.concerns('hook', id, { before: fieldsOf(unit, before), after: fieldsOf(unit, row) })
    unit.changed(HOOKS_TAG)
    wakeSenders(unit)
    return row
  },
)

/** Deletes a hook. Throws 404. Its deliveries are no longer sent and expire. */
export const deleteHook = operation([], async ({ tx, tenant, changed }, id: string): Promise<void> => {
  const deleted = await tx.deleteFrom('hooks').where(inTenant(tenant.id)).where('id', '=', id).returning('id').execute()
  if (deleted.length === 0) throw notFound('hook', id)
  changed(HOOKS_TAG)
})

/** Creates a new signing key; the previous one also signs for a day (DECISIONS K3). Throws 404. */
export const rotateSigningKey = operation([], async (unit, id: string): Promise<HookRow> => {
  const { tx, tenant, now, vault } = unit
  const row = await tx
    .updateTable('hooks')
    .set({
      sealed_previous_key: sql.ref('sealed_key'),
      previous_key_expires_at: secondsAfter(now, BOTH_KEYS_SECONDS),
      sealed_key: sealPart(vault, tenant.id, id, 'key', newSigningKey()),
    })
    .where(inTenant(tenant.id))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  if (!row) throw notFound('hook', id)
  return row
})

/** Disables a hook automatically, unless already disabled; the log and the audit log say why. */
export const disableHook = operation(
  [],
  async ({ tx, tenant, now, note, changed }, id: string, reason: 'Gone' | 'Failing'): Promise<void> => {
    note({ hookId: id, reason })
    changed(HOOKS_TAG)
    await tx
      .updateTable('hooks')
      .set({ is_enabled: false, disabled_at: now, disabled_reason: reason })
      .where(inTenant(tenant.id))
      .where('id', '=', id)
      .where('is_enabled', '=', true)
      .execute()
  },
)

/** Records that a hook was tested, and throws the failure, if there was one. */
export const concludeHookTest = operation([], async ({ note }, hookId: string, failure: ApiError | undefined) => {
  note({ hookId })
  if (failure) throw new Refusal(failure)
})
