/** Judges the configuration of a connector by the schema of its kind. */
import { CONNECTOR_CONFIGS, type ConnectorConfig, type ConnectorKind } from '@countersign/contract/connector-configs.ts'
import type { Static } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { checkInput } from '../../kernel/checked-input.ts'

/** What carries a message: a kind of connector, with its configuration. */
export type Carrier = {
  readonly [K in ConnectorKind]: { readonly kind: K; readonly config: Static<(typeof CONNECTOR_CONFIGS)[K]> }
}[ConnectorKind]

const validators = new Map<ConnectorKind, Validator>()

/** Compiled when a connector of the kind is first set up. */
const validatorOf = (kind: ConnectorKind): Validator => {
  const known = validators.get(kind) ?? Compile(CONNECTOR_CONFIGS[kind])
  validators.set(kind, known)
  return known
}

/** The configuration without members that its kind does not know. Throws 400 `guard.invalid_input` with its issues. */
export const soundConfig = (kind: ConnectorKind, config: unknown): ConnectorConfig => {
  const validator = validatorOf(kind)
  checkInput(validator, config, 'body', '/config')
  // cleaning changes what it is given
  return validator.Clean(structuredClone(config)) as ConnectorConfig
}
