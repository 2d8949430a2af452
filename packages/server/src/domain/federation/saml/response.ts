/**
 * A response of an identity provider (saml-core-2.0-os, section 3.3.3). Nothing of it is believed but what a signature of that provider
 * covers, and there is one assertion in all of it: whatever is moved, copied or wrapped around it is refused (SECURITY R-36).
 */
import { childrenNamed, elementsOf, parseXml, textOf } from '../../../kernel/xml.ts'
import { decryptedElement } from '../../../kernel/xml-encryption.ts'
import { isSigned } from '../../../kernel/xml-signature.ts'
import { FederationFailure } from '../failure.ts'
import { type Awaited, encryptedNameId, readAssertion, type SamlSubject } from './assertion.ts'
import { ASSERTION, PROTOCOL, SUCCESS } from './names.ts'
import type { SamlIdentityProvider, ServiceProvider } from './provider.ts'
import { orFailure, signedBy } from './signatures.ts'

const refuse = (sentence: string): never => {
  throw new FederationFailure('assertion', sentence)
}

/** The longest message in base64, in characters: more than that of the longest document (256 KiB), its line breaks included. */
const LONGEST_MESSAGE = 400_000

/** The text of a message that a form brought in base64. */
export const decodedMessage = (value: string): string => {
  // before it is matched: an expression that goes back character by character has a stack that ends
  if (value.length > LONGEST_MESSAGE) return refuse(`the message is longer than ${LONGEST_MESSAGE} characters`)
  const base64 = value.replaceAll(/\s/g, '')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return refuse('the message is not in base64')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64')).replaceAll(/\r\n?/g, '\n')
  } catch {
    return refuse('the message is not in UTF-8')
  }
}

/** The text of the issuer of a message; undefined: it has none. */
export const issuerOf = (message: Element): string | undefined => {
  const [issuer, second] = childrenNamed(message, ASSERTION, 'Issuer')
  if (second) return refuse('the message has more than one issuer')
  return issuer && (textOf(issuer) ?? '').trim()
}

const assertStatus = (response: Element): void => {
  const codes = [...elementsOf(response)].filter(({ localName }) => localName === 'StatusCode')
  const [outer] = childrenNamed(response, PROTOCOL, 'Status').flatMap((status) =>
    childrenNamed(status, PROTOCOL, 'StatusCode'),
  )
  if (outer?.getAttribute('Value') === SUCCESS) return
  const names = codes.map((code) => (code.getAttribute('Value') ?? '').split(':').at(-1)).slice(0, 2)
  const [message] = [...elementsOf(response)].filter(({ localName }) => localName === 'StatusMessage')
  const said = message ? `: ${(textOf(message) ?? '').trim().slice(0, 200)}` : ''
  throw new FederationFailure('denied', `the identity provider answered ${names.join(', ') || 'no status'}${said}`)
}

const assertEnvelope = (response: Element, idp: SamlIdentityProvider, { recipient, requestId }: Awaited): void => {
  if (response.localName !== 'Response' || response.namespaceURI !== PROTOCOL) refuse('the message is no response')
  if (response.getAttribute('Version') !== '2.0') refuse('the response is not of SAML 2.0')
  if (
    response.getAttribute('Destination') !== recipient &&
    (response.hasAttribute('Destination') || isSigned(response))
  )
    refuse('the response is for another destination')
  const issuer = issuerOf(response)
  if (issuer !== undefined && issuer !== idp.entityId) refuse('the response is by another issuer')
  const inResponseTo = response.hasAttribute('InResponseTo') ? response.getAttribute('InResponseTo') : undefined
  if (inResponseTo !== requestId) refuse('the response does not answer this request (InResponseTo)')
}

/** The assertion of a response, wherever it is: there is only one. */
const assertionIn = (response: Element): Element => {
  const named = (name: string) => [...elementsOf(response)].filter(({ localName }) => localName === name)
  const all = [...named('Assertion'), ...named('EncryptedAssertion')]
  if (named('Response').length !== 1) refuse('the response contains another one')
  const [assertion] = all
  if (!assertion || all.length > 1) return refuse('the response does not have exactly one assertion')
  if (assertion.parentNode !== response || assertion.namespaceURI !== ASSERTION)
    return refuse('the assertion is not where it belongs')
  return assertion
}

const plainOf = (encrypted: Element, { keys }: ServiceProvider) =>
  orFailure(() =>
    decryptedElement(
      encrypted,
      keys.all.map(({ privateKey }) => privateKey),
    ),
  )

const decrypted = async (encrypted: Element, us: ServiceProvider) => {
  const { text, element } = await plainOf(encrypted, us)
  const isOne = [...elementsOf(element)].filter(({ localName }) => localName === 'Assertion').length === 1
  if (!isOne || element.localName !== 'Assertion' || element.namespaceURI !== ASSERTION)
    return refuse('what was encrypted is not one assertion')
  return { text, element }
}

/** What an EncryptedID contains. Throws FederationFailure for anything but a NameID. */
export const decryptedNameId = async (encrypted: Element, us: ServiceProvider): Promise<Element> => {
  const { element } = await plainOf(encrypted, us)
  if (element.localName !== 'NameID' || element.namespaceURI !== ASSERTION) refuse('what was encrypted is not a NameID')
  return element
}

/** Reads an assertion that is signed, with the NameID that is encrypted in it, if there is one. */
const readSigned = async (assertion: Element, us: ServiceProvider, awaited: Awaited): Promise<SamlSubject> => {
  const encrypted = encryptedNameId(assertion)
  return readAssertion(assertion, awaited, encrypted && (await decryptedNameId(encrypted, us)))
}

/**
 * Who is signed in by a response. Throws FederationFailure: `denied` if the identity provider says so, else `assertion`.
 * @param value of the form's SAMLResponse
 */
export const readResponse = async (
  value: string,
  us: ServiceProvider,
  idp: SamlIdentityProvider,
  awaited: Awaited,
): Promise<SamlSubject> => {
  const text = decodedMessage(value)
  const response = await orFailure(() => parseXml(text).documentElement)
  assertEnvelope(response, idp, awaited)
  assertStatus(response)
  const sent = assertionIn(response)
  const verify = (within: string, element: Element) => signedBy(within, element, idp.certificates, awaited.now)
  // what the signature of the response covers, if it has one: from here on nothing else is read
  const covered = isSigned(response) ? assertionIn(verify(text, response)) : undefined
  const plain =
    sent.localName === 'EncryptedAssertion' ? await decrypted(covered ?? sent, us) : { text, element: covered ?? sent }
  const own = sent.localName === 'EncryptedAssertion' ? plain : { text, element: sent }
  if (isSigned(own.element)) return readSigned(verify(own.text, own.element), us, awaited)
  if (!covered) return refuse('neither the assertion nor the response is signed')
  return readSigned(plain.element, us, awaited)
}
