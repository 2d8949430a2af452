/** SAML messages that this server writes: built as a DOM, which escapes every value. */
import { newXml, writeXml } from '../../../kernel/xml.ts'
import { ASSERTION, POST_BINDING, PROTOCOL } from './names.ts'
import type { ServiceProvider } from './provider.ts'

interface Head {
  /** An ID that this server made: a letter or underscore, then letters, digits, `_`, `-`. */
  readonly id: string
  readonly now: Date
  readonly destination: string
}

const begun = (name: string, { entityId }: ServiceProvider, { id, now, destination }: Head) => {
  const document = newXml(PROTOCOL, `samlp:${name}`)
  const root = document.documentElement
  root.setAttribute('ID', id)
  root.setAttribute('Version', '2.0')
  root.setAttribute('IssueInstant', now.toISOString())
  root.setAttribute('Destination', destination)
  const issuer = document.createElementNS(ASSERTION, 'saml:Issuer')
  issuer.appendChild(document.createTextNode(entityId))
  root.appendChild(issuer)
  return { document, root }
}

/** A request to sign a user in (saml-core-2.0-os, section 3.4), which asks for a response by POST. */
export const authnRequest = (us: ServiceProvider, head: Head, nameIdFormat?: string): string => {
  const { document, root } = begun('AuthnRequest', us, head)
  root.setAttribute('AssertionConsumerServiceURL', us.acs)
  root.setAttribute('ProtocolBinding', POST_BINDING)
  const policy = document.createElementNS(PROTOCOL, 'samlp:NameIDPolicy')
  if (nameIdFormat !== undefined) policy.setAttribute('Format', nameIdFormat)
  policy.setAttribute('AllowCreate', 'true')
  root.appendChild(policy)
  return writeXml(document)
}
