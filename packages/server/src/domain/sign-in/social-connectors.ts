/** The social connectors that a tenant offers at sign-in: their order, their names and their logos. */
import { connectorFactory } from '../delivery/connector-factories.ts'

export interface SocialConnector {
  readonly id: string
  readonly target: string
  /** By language. */
  readonly name: Readonly<Record<string, string>>
  readonly logo: string
  readonly logoDark: string | null
}

interface Row {
  readonly id: string
  readonly connector_id: string
  readonly target: string | null
  readonly metadata: Readonly<Record<string, unknown>>
}

const names = (value: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(typeof value === 'object' && value !== null ? value : {}).filter(
      (pair): pair is [string, string] => typeof pair[1] === 'string' && pair[1] !== '',
    ),
  )

/** A picture that a page may show (SECURITY R-23). */
const picture = (value: unknown): string | undefined =>
  typeof value === 'string' && /^(https?:\/\/|data:image\/)/.test(value) ? value : undefined

const shown = ({ id, connector_id, target, metadata }: Row): SocialConnector[] => {
  const factory = connectorFactory(connector_id)
  if (!factory || target === null) return []
  const own = names(metadata.name)
  const logo = picture(metadata.logo)
  return [
    {
      id,
      target,
      name: Object.keys(own).length > 0 ? own : factory.isStandard ? { en: target } : factory.name,
      logo: logo ?? factory.logo,
      logoDark: picture(metadata.logoDark) ?? (logo ? null : factory.logoDark),
    },
  ]
}

/** Those of the targets that the settings name, if they are there. */
export const offeredConnectors = (
  { socialSignInConnectorTargets: targets }: { readonly socialSignInConnectorTargets: readonly string[] },
  rows: readonly Row[],
): readonly SocialConnector[] => targets.flatMap((target) => rows.filter((row) => row.target === target).flatMap(shown))
