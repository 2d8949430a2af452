/** Responses to authentication requests, with an assertion or with the status of a refusal (saml2-core sections 2, 3.2, 3.4). */

import type { SamlKey } from '../../domain/applications/saml-keys.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { parseXml, writeXml } from '../../kernel/xml.ts'
import { encryptedXml } from '../../kernel/xml-encryption.ts'
import { addElement, addIssuer, instant, newRoot, newSamlId, signed } from './element.ts'
import { ASSERTION, PROTOCOL, STATUSES, type Status } from './names.ts'

/** How long a service provider may take to read a response. */
const LIFETIME_SECONDS = 300
/** For clocks that are behind. */
const SKEW_SECONDS = 60

/** From whom to whom, and what it answers. */
export interface Envelope {
  readonly issuer: string
  /** The Assertion Consumer Service. */
  readonly destination: string
  /** The ID of the request; undefined: the sign-in began here. */
  readonly inResponseTo: string | undefined
  readonly now: Date
}

export interface NameId {
  readonly value: string
  readonly format: string
}

export interface AssertedUser {
  readonly nameId: NameId
  /** The entity id of the application. */
  readonly audience: string
  readonly authenticatedAt: Date
  readonly contextClass: string
  readonly sessionIndex: string
  readonly sessionEndsAt: Date
  /** Attribute → values. */
  readonly attributes: readonly (readonly [name: string, values: readonly string[]])[]
}

/** How a response is protected. */
export interface Protection {
  readonly key: SamlKey
  readonly signsResponse: boolean
  /** Of the application, in PEM; undefined: assertions are not encrypted. */
  readonly encryptFor: string | undefined
}

const BASIC = 'urn:oasis:names:tc:SAML:2.0:attrname-format:basic'
const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'

export const addNameId = (parent: Element, { value, format }: NameId, issuer: string, audience: string): void => {
  // for whom a pairwise name is meant (saml2-core section 8.3.7)
  const qualifiers = format.endsWith(':persistent') ? { NameQualifier: issuer, SPNameQualifier: audience } : {}
  addElement(parent, ASSERTION, 'saml:NameID', { Format: format, ...qualifiers }, value)
}

const assertion = (envelope: Envelope, user: AssertedUser): Element => {
  const { issuer, destination, inResponseTo, now } = envelope
  const until = instant(secondsAfter(now, LIFETIME_SECONDS))
  const root = newRoot(ASSERTION, 'saml:Assertion', { ID: newSamlId(), Version: '2.0', IssueInstant: instant(now) })
  const add = (parent: Element, name: string, attributes = {}, text?: string) =>
    addElement(parent, ASSERTION, `saml:${name}`, attributes, text)
  addIssuer(root, issuer)
  const subject = add(root, 'Subject')
  addNameId(subject, user.nameId, issuer, user.audience)
  const confirmation = add(subject, 'SubjectConfirmation', { Method: BEARER })
  add(confirmation, 'SubjectConfirmationData', {
    NotOnOrAfter: until,
    Recipient: destination,
    InResponseTo: inResponseTo,
  })
  const conditions = add(root, 'Conditions', {
    NotBefore: instant(secondsAfter(now, -SKEW_SECONDS)),
    NotOnOrAfter: until,
  })
  add(add(conditions, 'AudienceRestriction'), 'Audience', {}, user.audience)
  const statement = add(root, 'AuthnStatement', {
    AuthnInstant: instant(user.authenticatedAt),
    SessionIndex: user.sessionIndex,
    SessionNotOnOrAfter: instant(user.sessionEndsAt),
  })
  add(add(statement, 'AuthnContext'), 'AuthnContextClassRef', {}, user.contextClass)
  if (user.attributes.length > 0) {
    const attributes = add(root, 'AttributeStatement')
    for (const [name, values] of user.attributes) {
      const attribute = add(attributes, 'Attribute', { Name: name, NameFormat: BASIC })
      for (const value of values) add(attribute, 'AttributeValue', {}, value)
    }
  }
  return root
}

/** Any response: with its status, and without what else it says. */
export const newResponse = (
  name: 'Response' | 'LogoutResponse',
  { issuer, destination, inResponseTo, now }: Envelope,
  { code, detail, message }: Status,
): Element => {
  const root = newRoot(PROTOCOL, `samlp:${name}`, {
    ID: newSamlId(),
    Version: '2.0',
    IssueInstant: instant(now),
    Destination: destination,
    InResponseTo: inResponseTo,
  })
  addIssuer(root, issuer)
  const status = addElement(root, PROTOCOL, 'samlp:Status')
  const outer = addElement(status, PROTOCOL, 'samlp:StatusCode', { Value: STATUSES[code] })
  if (detail) addElement(outer, PROTOCOL, 'samlp:StatusCode', { Value: STATUSES[detail] })
  if (message !== undefined) addElement(status, PROTOCOL, 'samlp:StatusMessage', {}, message)
  return root
}

/** A response that signs the user in: the assertion is signed, then encrypted if that is asked for, then the response is signed. */
export const successResponse = async (
  envelope: Envelope,
  user: AssertedUser,
  { key, signsResponse, encryptFor }: Protection,
): Promise<string> => {
  const signedAssertion = signed(assertion(envelope, user), key)
  const response = newResponse('Response', envelope, { code: 'Success' })
  const document = response.ownerDocument
  const adopt = (xml: string): Node => document.importNode(parseXml(xml).documentElement, true)
  if (encryptFor === undefined) response.appendChild(adopt(signedAssertion))
  else
    addElement(response, ASSERTION, 'saml:EncryptedAssertion').appendChild(
      adopt(await encryptedXml(signedAssertion, encryptFor)),
    )
  return signsResponse ? signed(response, key) : writeXml(response)
}

/** A response that refuses: always signed, because it has nothing else that is. */
export const refusalResponse = (envelope: Envelope, status: Status, key: SamlKey): string =>
  signed(newResponse('Response', envelope, status), key)
