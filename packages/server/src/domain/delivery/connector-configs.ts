/** Checks the configuration of a connector against the schema of its kind. */
import {
  CONNECTOR_CONFIGS,
  type ConnectorConfig,
  type ConnectorKind,
  type MessageKind,
} from '@countersign/contract/connector-configs.ts'
import type { Static } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { checkInput } from '../../kernel/checked-input.ts'

/** What carries a message: a kind of connector, with its configuration. */
export type Carrier = {
  readonly [K in MessageKind]: { readonly kind: K; readonly config: Static<(typeof CONNECTOR_CONFIGS)[K]> }
}[MessageKind]

const validators = new Map<ConnectorKind, Validator>()

/** Compiled when a connector of the kind is first set up. */
const validatorOf = (kind: ConnectorKind): Validator => {
  const known = validators.get(kind) ?? Compile(CONNECTOR_CONFIGS[kind])
  validators.set(kind, known)
  return known
}

/** The configuration without members that are unknown to its kind. Throws 400 `guard.invalid_input` with its issues. */
export const soundConfig = (kind: ConnectorKind, config: unknown): ConnectorConfig => {
  const validator = validatorOf(kind)
  checkInput(validator, config, 'body', '/config')
  // Clean changes its argument
  return validator.Clean(structuredClone(config)) as ConnectorConfig
}

interface Part {
  readonly properties?: Readonly<Record<string, object>>
  readonly 'x-secret'?: boolean
}

const secretsReplaced = (
  value: unknown,
  part: Part | undefined,
  at: readonly string[],
  replace: (secret: string, at: readonly string[]) => string,
): unknown => {
  const isSecret = part?.['x-secret'] === true
  if (typeof value === 'string') return isSecret ? replace(value, at) : value
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  // if the whole is secret, so is each member
  const partOf = (name: string) => (isSecret ? part : part?.properties?.[name])
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, secretsReplaced(each, partOf(name), [...at, name], replace)]),
  )
}

/**
 * The configuration with each secret, as marked in its schema, replaced.
 * @param replace returns the replacement for a secret; gets the names that lead to it
 */
export const withSecrets = (
  kind: ConnectorKind,
  config: unknown,
  replace: (secret: string, at: readonly string[]) => string,
): ConnectorConfig => secretsReplaced(config, CONNECTOR_CONFIGS[kind], [], replace) as ConnectorConfig

/** Every secret of a configuration. */
export const secretsOf = ({ kind, config }: Carrier): string[] => {
  const secrets: string[] = []
  withSecrets(kind, config, (secret) => {
    secrets.push(secret)
    return secret
  })
  return secrets
}
