/** Enterprise SSO connectors, identified by their names. */
import { isDeepStrictEqual } from 'node:util'
import type { DeclaredSsoConnector } from '@countersign/contract/declaration.ts'
import { SSO_CONFIGS } from '@countersign/contract/sso-connector-configs.ts'
import Type from 'typebox'
import {
  createSsoConnector,
  deleteSsoConnector,
  type SsoConnector,
  ssoConnectorsOf,
  updateSsoConnector,
} from '../domain/federation/enterprise/connectors.ts'
import { pointerSteps, strictReader } from '../kernel/strict-schema.ts'
import type { Unit } from '../storage/unit-of-work.ts'
import { Fault, type Path } from './fault.ts'
import { applyIdpInitiated, declaredIdpInitiated } from './idp-initiated.ts'
import { assertDistinct, at, type Journal, reportChange } from './journal.ts'

/** Throws the fault of a configuration that the provider does not take: a key that it does not know is one too. */
const assertConfig = (path: Path, { providerName, config }: DeclaredSsoConnector): void => {
  const [first] = strictReader(Type.Partial(SSO_CONFIGS[providerName])).issues(config ?? {})
  if (!first) return
  const steps = pointerSteps(first.path)
  throw new Fault([...path, 'config', ...steps], `${steps.at(-1) ?? 'config'} ${first.reason}`)
}

/** The declared fields that differ; one that is left out stays. */
const changeOf = (before: SsoConnector, declared: DeclaredSsoConnector) =>
  Object.fromEntries(
    (['config', 'domains', 'branding', 'syncProfile', 'enableTokenStorage'] as const).flatMap((name) =>
      declared[name] === undefined || isDeepStrictEqual(declared[name], before[name]) ? [] : [[name, declared[name]]],
    ),
  )

/** Organizations look after theirs themselves. */
const connectorsOfTenant = async (unit: Unit) =>
  (await ssoConnectorsOf(unit)).filter(({ organizationId }) => organizationId === null)

export const applySsoConnectors = async (
  unit: Unit,
  journal: Journal,
  declared: readonly DeclaredSsoConnector[],
): Promise<void> => {
  const names = declared.map(({ connectorName }) => connectorName)
  assertDistinct(['ssoConnectors'], 'connectorName', names)
  const present = await connectorsOfTenant(unit)
  for (const [index, connector] of declared.entries()) {
    const path = ['ssoConnectors', index]
    const what = `SSO connector ${connector.connectorName}`
    assertConfig(path, connector)
    const before = present.find(({ name }) => name === connector.connectorName)
    if (!before) {
      const { id } = await at(path, () => createSsoConnector.run(unit, connector))
      journal.changes.push({ verb: 'create', what, details: [] })
      await applyIdpInitiated(unit, id, connector, path)
      continue
    }
    if (before.preset.providerName !== connector.providerName)
      throw new Fault([...path, 'providerName'], `the provider of ${connector.connectorName} cannot be changed`)
    const change = changeOf(before, connector)
    const changed = Object.keys(change)
    if (changed.length > 0) await at(path, () => updateSsoConnector.run(unit, before.id, change))
    if (await applyIdpInitiated(unit, before.id, connector, path)) changed.push('idpInitiatedAuthConfig')
    // by name only: values can be secrets
    reportChange(
      journal,
      what,
      changed.map((name) => `${name} differs`),
    )
  }
  if (!journal.prune) return
  for (const { id, name } of present.filter((each) => !names.includes(each.name))) {
    await deleteSsoConnector.run(unit, id)
    journal.changes.push({ verb: 'delete', what: `SSO connector ${name}`, details: [] })
  }
}

/** The name of a variable for the client secret of a connector. */
const variableOf = (name: string): string => `SSO_${name.replace(/[^A-Za-z0-9]+/g, '_').toUpperCase()}_CLIENT_SECRET`

/** Those of the tenant as a file has them, with a variable for each secret. @param literal escapes what looks like one */
export const declaredSsoConnectors = async (
  unit: Unit,
  literal: (value: unknown) => unknown,
): Promise<DeclaredSsoConnector[]> => {
  const idpInitiated = await declaredIdpInitiated(unit)
  const all = await connectorsOfTenant(unit)
  return all.map(({ id, name, preset, config, domains, branding, syncProfile, enableTokenStorage }) => ({
    providerName: preset.providerName,
    connectorName: name,
    config: {
      ...(literal(config) as typeof config),
      ...(config.clientSecret === undefined ? {} : { clientSecret: `\${${variableOf(name)}}` }),
    },
    ...(domains.length > 0 ? { domains: [...domains] } : {}),
    ...(Object.keys(branding).length > 0 ? { branding: literal(branding) as typeof branding } : {}),
    ...(syncProfile ? { syncProfile } : {}),
    ...(enableTokenStorage ? { enableTokenStorage } : {}),
    ...idpInitiated(id),
  }))
}
