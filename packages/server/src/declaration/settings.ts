/** Connectors, one of each type or target, and the sign-in settings of the tenant. */

import { isDeepStrictEqual } from 'node:util'
import { CONNECTOR_CONFIGS, type ConnectorKind } from '@countersign/contract/connector-configs.ts'
import type { Declaration, DeclaredConnector } from '@countersign/contract/declaration.ts'
import { type ConnectorFactory, connectorFactory } from '../domain/delivery/connector-factories.ts'
import {
  type Connector,
  createConnector,
  deleteConnector,
  listConnectorsOf,
  updateConnector,
} from '../domain/delivery/connectors.ts'
import { changedSettings, overDefaults, type SignInSettings } from '../domain/sign-in/experience.ts'
import { updateSignInExperience } from '../domain/sign-in/settings.ts'
import { pointerSteps, strictReader } from '../kernel/strict-schema.ts'
import { inTenant } from '../storage/in-tenant.ts'
import type { Unit } from '../storage/unit-of-work.ts'
import { Fault, type Path } from './fault.ts'
import { at, fromTo, type Journal } from './journal.ts'

/** Which fields differ, by name only: values can be secrets. */
const differences = (present: Connector, declared: DeclaredConnector): string[] =>
  (['config', 'syncProfile', 'enableTokenStorage', 'metadata'] as const)
    .filter((name) => declared[name] !== undefined && !isDeepStrictEqual(declared[name], present[name]))
    .map((name) => `${name} differs`)

/** Throws the fault of a configuration that its kind does not take: a key that it does not know is one too. */
const assertConfig = (path: Path, kind: ConnectorKind, config: unknown): void => {
  const [first] = strictReader(CONNECTOR_CONFIGS[kind]).issues(config)
  if (!first) return
  const steps = pointerSteps(first.path)
  throw new Fault([...path, 'config', ...steps], `${steps.at(-1) ?? 'config'} ${first.reason}`)
}

/** What a tenant has only one of: message connectors by type, providers by target. */
const placeOf = ({ type, target: usual, isStandard }: ConnectorFactory, target: string | undefined): string =>
  type === 'Social' ? `Social ${isStandard ? target : usual}` : type

export const applyConnectors = async (
  unit: Unit,
  journal: Journal,
  declared: readonly DeclaredConnector[],
): Promise<void> => {
  const present = await listConnectorsOf(unit)
  const places = declared.map(({ connectorId, config, metadata }, index) => {
    const factory = connectorFactory(connectorId)
    if (!factory) throw new Fault(['connectors', index, 'connectorId'], `there is no kind of connector ${connectorId}`)
    assertConfig(['connectors', index], factory.id, config)
    return placeOf(factory, metadata?.target)
  })
  for (const [index, connector] of declared.entries()) {
    const path = ['connectors', index]
    if (places.indexOf(places[index] ?? '') !== index)
      throw new Fault([...path, 'connectorId'], `a connector of the type ${places[index]} is declared already`)
    const what = `connector ${connector.connectorId}`
    const before = present.find(
      ({ factory, target }) => factory.id === connector.connectorId && placeOf(factory, target) === places[index],
    )
    if (!before) {
      await at(path, () => createConnector.run(unit, connector))
      journal.changes.push({ verb: 'create', what, details: [] })
      continue
    }
    const details = differences(before, connector)
    if (details.length === 0) continue
    const { connectorId: _kept, ...change } = connector
    await at(path, () => updateConnector.run(unit, before.id, change))
    journal.changes.push({ verb: 'change', what, details })
  }
  if (!journal.prune) return
  for (const { id, factory } of present.filter((each) => !places.includes(placeOf(each.factory, each.target)))) {
    await deleteConnector.run(unit, id)
    journal.changes.push({ verb: 'delete', what: `connector ${factory.id}`, details: [] })
  }
}

export const readSettings = async ({ tx, tenant }: Unit): Promise<SignInSettings> => {
  const row = await tx
    .selectFrom('sign_in_experiences')
    .select('settings')
    .where(inTenant(tenant.id))
    .executeTakeFirst()
  return overDefaults(row?.settings ?? {})
}

type Fields = Readonly<Record<string, unknown>>

/** Applies the settings; nothing is written if all already are as declared. */
export const applySettings = async (
  unit: Unit,
  journal: Journal,
  declared: NonNullable<Declaration['signInExperience']>,
): Promise<void> => {
  const before: Fields = { ...(await readSettings(unit)) }
  const wanted: Fields = { ...changedSettings(before, declared) }
  if (isDeepStrictEqual(wanted, before)) return
  const after: Fields = { ...(await at(['signInExperience'], () => updateSignInExperience.run(unit, declared))) }
  const change = Object.fromEntries(
    Object.entries(after).filter(([name, value]) => !isDeepStrictEqual(value, before[name])),
  )
  if (Object.keys(change).length === 0) return
  journal.changes.push({ verb: 'change', what: 'sign-in settings', details: fromTo(before, change) })
}
