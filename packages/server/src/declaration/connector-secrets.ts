/** Secrets of connectors in an exported file: variables take their place, for the file is kept where configuration is. */
import { CONNECTOR_CONFIGS, type ConnectorKind } from '@countersign/contract/connector-configs.ts'
import type { Connector } from '../domain/delivery/connectors.ts'

interface Part {
  readonly properties?: Readonly<Record<string, object>>
  readonly 'x-secret'?: boolean
}

/** The password of a mail server has had this name since files are exported. */
const NAMES: Readonly<Record<string, string>> = { SIMPLE_MAIL_TRANSFER_PROTOCOL_AUTH_PASS: 'SMTP_PASSWORD' }

const nameOf = (kind: ConnectorKind, path: readonly string[]): string => {
  const words = [kind, ...path].map((word) =>
    word.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replace(/[^A-Za-z0-9]+/g, '_'),
  )
  const name = words.join('_').toUpperCase()
  return NAMES[name] ?? name
}

const withVariables = (kind: ConnectorKind, value: unknown, part: Part | undefined, at: readonly string[]): unknown => {
  const isSecret = part?.['x-secret'] === true
  if (typeof value === 'string') return isSecret ? `\${${nameOf(kind, at)}}` : value
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      // what is secret as a whole is secret in each member
      withVariables(kind, each, isSecret ? part : part?.properties?.[key], [...at, key]),
    ]),
  )
}

/**
 * The configuration of a connector with a variable, such as `${SMTP_PASSWORD}`, for each secret.
 * @param config as the file is to have it otherwise
 */
export const withoutSecrets = ({ factory }: Connector, config: unknown): Connector['config'] =>
  withVariables(factory.id, config, CONNECTOR_CONFIGS[factory.id], []) as Connector['config']
