/** Hooks, identified by name: names must be unique to be declared. Signing keys are not part of a declaration. */

import type { DeclaredHook } from '@countersign/contract/declaration.ts'
import { createHook, deleteHook, updateHook } from '../domain/webhooks/hooks.ts'
import { type HookRow, headersOf } from '../domain/webhooks/rows.ts'
import { inTenant } from '../storage/in-tenant.ts'
import type { Unit } from '../storage/unit-of-work.ts'
import type { Path } from './fault.ts'
import { additionsAndRemovals, assertDistinct, at, differing, findByName, fromTo, type Journal } from './journal.ts'
import { completed, differences } from './withheld.ts'

export const readHooks = ({ tx, tenant }: Unit): Promise<HookRow[]> =>
  tx.selectFrom('hooks').selectAll().where(inTenant(tenant.id)).orderBy('created_at').orderBy('id').execute()

const create = async (unit: Unit, journal: Journal, declared: DeclaredHook, path: Path): Promise<void> => {
  const { url, headers = {}, retries } = declared.config
  const config = {
    url,
    headers: completed(headers, {}, [...path, 'config', 'headers']),
    ...(retries === undefined ? {} : { retries }),
  }
  await at(path, () => createHook.run(unit, { ...declared, config }))
  journal.changes.push({ verb: 'create', what: `hook ${declared.name}`, details: [] })
}

/** The desired settings, with what is not declared left as it is; and the differences. A URL can contain a secret. */
const configOf = (unit: Unit, { config }: DeclaredHook, before: HookRow, path: Path) => {
  const stored = headersOf(unit.vault, before)
  const headers = config.headers ? completed(config.headers, stored, [...path, 'config', 'headers']) : stored
  const retries = config.retries ?? before.retries ?? undefined
  const details = [
    ...(config.url === before.url ? [] : ['config.url differs']),
    ...differences('config.headers', stored, headers),
    ...fromTo(
      { 'config.retries': before.retries },
      differing({ 'config.retries': before.retries ?? undefined }, { 'config.retries': retries }),
    ),
  ]
  return { config: { url: config.url, headers, ...(retries === undefined ? {} : { retries }) }, details }
}

/** Changes what differs; returns what that is. */
const change = async (unit: Unit, declared: DeclaredHook, before: HookRow, path: Path): Promise<string[]> => {
  const present = { enabled: before.is_enabled, ordered: before.is_ordered }
  const own = differing(present, { enabled: declared.enabled, ordered: declared.ordered })
  const events = declared.events && additionsAndRemovals('events', before.events, declared.events)
  const { config, details } = configOf(unit, declared, before, path)
  const all = [...(events ?? []), ...details, ...fromTo(present, own)]
  if (all.length === 0) return []
  const changed = {
    ...own,
    ...(declared.events && events?.length ? { events: declared.events } : {}),
    ...(details.length > 0 ? { config } : {}),
  }
  await at(path, () => updateHook.run(unit, before.id, changed))
  return all
}

export const applyHooks = async (unit: Unit, journal: Journal, declared: readonly DeclaredHook[]): Promise<void> => {
  assertDistinct(
    ['hooks'],
    'name',
    declared.map(({ name }) => name),
  )
  const present = await readHooks(unit)
  for (const [index, hook] of declared.entries()) {
    const path = ['hooks', index]
    const before = findByName(present, 'hooks', hook.name, path)
    if (!before) {
      await create(unit, journal, hook, path)
      continue
    }
    const details = await change(unit, hook, before, path)
    if (details.length > 0) journal.changes.push({ verb: 'change', what: `hook ${hook.name}`, details })
  }
  if (!journal.prune) return
  for (const { id, name } of present.filter((row) => !declared.some((each) => each.name === row.name))) {
    await deleteHook.run(unit, id)
    journal.changes.push({ verb: 'delete', what: `hook ${name || id}`, details: [] })
  }
}
