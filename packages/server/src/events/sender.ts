/** The sender of a mail and its Reply-To address: the connector's, unless the template overrides them. */
import type { Carrier } from '../domain/delivery/connector-configs.ts'
import { oneLine } from './placeholders.ts'

export interface Sender {
  readonly name: string
  readonly address: string
  /** Empty: replies go to the sender. */
  readonly replyTo: string
}

/** An address line: `Name <address>`, with the name quoted if necessary (RFC 5322 section 3.4). */
export const addressLine = ({ name, address }: Pick<Sender, 'name' | 'address'>): string => {
  if (name === '') return address
  const isPlain = /^[\p{L}\p{N} _'-]+$/u.test(name)
  return `${isPlain ? name : `"${name.replace(/["\\]/g, '')}"`} <${address}>`
}

const read = (line: string): { name: string; address: string } => {
  const [, name = '', address = line] = /^(.*)<(.+)>$/.exec(line) ?? []
  return { name: name.trim().replace(/^"(.*)"$/, '$1'), address: address.trim() }
}

/** @param template the overrides of the message's template */
export const senderOf = (
  { config }: Carrier,
  template: { readonly replyTo?: string; readonly senderName?: string },
): Sender => {
  const line =
    'fromEmail' in config
      ? config.fromEmail
      : 'from' in config
        ? config.from
        : 'emailAddress' in config
          ? config.emailAddress
          : ''
  const { name, address } = read(oneLine(line ?? ''))
  const fromName = 'fromName' in config ? config.fromName : undefined
  const replyTo = template.replyTo ?? ('replyTo' in config ? config.replyTo : undefined)
  return { name: oneLine(template.senderName ?? fromName ?? name), address, replyTo: oneLine(replyTo ?? '') }
}
