/** SAML messages that this server writes: built as a DOM, which escapes every value. */
import { newXml, writeXml } from '../../../kernel/xml.ts'
import type { SamlNameId } from '../provider.ts'
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

interface Asked {
  readonly nameIdFormat: string | undefined
  /** Whether the user is to sign in again. */
  readonly isFresh: boolean
}

/** A request to sign a user in (saml-core-2.0-os, section 3.4), which asks for a response by POST. */
export const authnRequest = (us: ServiceProvider, head: Head, { nameIdFormat, isFresh }: Asked): string => {
  const { document, root } = begun('AuthnRequest', us, head)
  if (isFresh) root.setAttribute('ForceAuthn', 'true')
  root.setAttribute('AssertionConsumerServiceURL', us.acs)
  root.setAttribute('ProtocolBinding', POST_BINDING)
  const policy = document.createElementNS(PROTOCOL, 'samlp:NameIDPolicy')
  if (nameIdFormat !== undefined) policy.setAttribute('Format', nameIdFormat)
  policy.setAttribute('AllowCreate', 'true')
  root.appendChild(policy)
  return writeXml(document)
}

/** A request to end a session (saml-core-2.0-os, section 3.7.1). @param sessionIndex undefined: all of the name */
export const logoutRequest = (
  us: ServiceProvider,
  head: Head,
  { value, format, nameQualifier, spNameQualifier }: SamlNameId,
  sessionIndex: string | undefined,
): string => {
  const { document, root } = begun('LogoutRequest', us, head)
  const add = (namespace: string, name: string, text: string): Element => {
    const element = document.createElementNS(namespace, name)
    element.appendChild(document.createTextNode(text))
    root.appendChild(element)
    return element
  }
  const name = add(ASSERTION, 'saml:NameID', value)
  const attributes = { Format: format, NameQualifier: nameQualifier, SPNameQualifier: spNameQualifier }
  for (const [key, said] of Object.entries(attributes)) if (said !== undefined) name.setAttribute(key, said)
  if (sessionIndex !== undefined) add(PROTOCOL, 'samlp:SessionIndex', sessionIndex)
  return writeXml(document)
}
