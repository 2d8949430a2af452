/** Secrets of connectors in an exported file: variables replace them, because the file is kept with other configuration. */
import { withSecrets } from '../domain/delivery/connector-configs.ts'
import type { Connector } from '../domain/delivery/connectors.ts'

/** The password of a mail server has always had this name in exported files. */
const NAMES: Readonly<Record<string, string>> = { SIMPLE_MAIL_TRANSFER_PROTOCOL_AUTH_PASS: 'SMTP_PASSWORD' }

const nameOf = (kind: string, path: readonly string[]): string => {
  const words = [kind, ...path].map((word) =>
    word.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replace(/[^A-Za-z0-9]+/g, '_'),
  )
  const name = words.join('_').toUpperCase()
  return NAMES[name] ?? name
}

/**
 * The configuration of a connector with a variable, such as `${SMTP_PASSWORD}`, for each secret.
 * @param config as the file is to have it otherwise
 */
export const withoutSecrets = ({ factory, target }: Connector, config: unknown): Connector['config'] =>
  withSecrets(factory.id, config, (_secret, at) => `\${${nameOf(factory.isStandard ? target : factory.id, at)}}`)
