/** What authentication requests and messages of single logout of service providers say (saml2-core sections 3.4.1, 3.7). */
import { POST_BINDING } from '@countersign/contract/saml-applications.ts'
import { childrenNamed, textOf } from '../../kernel/xml.ts'
import { UnacceptableMessage } from './incoming.ts'
import { ASSERTION, PROTOCOL, STATUSES } from './names.ts'

/** For clocks that differ, in both directions; and for how long a request may be on its way. */
const FRESH_SECONDS = 600
/** For clocks that differ, where a message says until when it counts. */
const SKEW_SECONDS = 60

interface Message {
  /** Given by the service provider; the response to a request names it. */
  readonly id: string
  readonly issuer: string
}

export interface AuthnRequest extends Message {
  readonly acsUrl: string | undefined
  readonly acsIndex: number | undefined
  readonly isPostWanted: boolean
  readonly forceAuthn: boolean
  readonly isPassive: boolean
  readonly nameIdFormat: string | undefined
  /** Whom the user has to be. */
  readonly subject: string | undefined
  readonly contexts: { readonly classes: readonly string[]; readonly comparison: string } | undefined
}

export interface LogoutRequest extends Message {
  readonly nameId: string
  readonly sessionIndexes: readonly string[]
}

/** An answer to a logout request of ours. */
export interface LogoutResponse extends Message {
  readonly inResponseTo: string | undefined
  /** The last part of the name of the status; Success: all sessions have ended. */
  readonly status: string
  /** Some sessions have not ended, whatever the status is (section 3.7.3.2). */
  readonly isPartial: boolean
}

const refuse = (reason: string): never => {
  throw new UnacceptableMessage(reason)
}

const attribute = (element: Element, name: string): string | undefined => element.getAttribute(name) || undefined

/** The child with this name, of which there is one at most. */
const child = (parent: Element, namespace: string, name: string): Element | undefined => {
  const [first, ...more] = childrenNamed(parent, namespace, name)
  return more.length > 0 ? refuse(`${name} is repeated`) : first
}

const textIn = (parent: Element, namespace: string, name: string): string | undefined => {
  const element = child(parent, namespace, name)
  return element && (textOf(element)?.trim() ?? refuse(`${name} has more than text in it`))
}

const boolean = (element: Element, name: string): boolean => {
  const value = attribute(element, name) ?? 'false'
  if (!['true', 'false', '1', '0'].includes(value)) refuse(`${name} is not true or false`)
  return value === 'true' || value === '1'
}

const moment = (element: Element, name: string): Date => {
  const value = attribute(element, name) ?? refuse(`${name} is missing`)
  const date = new Date(value)
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)?$/.test(value) || Number.isNaN(date.getTime()))
    refuse(`${name} is not a moment`)
  return /Z|[+-]\d\d:\d\d$/.test(value) ? date : new Date(`${value}Z`)
}

/** Saml2-core sections 3.2.1, 3.2.2: what every message has. @param url where it arrived; a signed one must be for it */
const readMessage = (root: Element, url: string, isSigned: boolean, now: Date): Message => {
  if (attribute(root, 'Version') !== '2.0') refuse('Version is not 2.0')
  const id = attribute(root, 'ID') ?? ''
  if (!/^[A-Za-z_][\w.-]{0,255}$/.test(id)) refuse('ID is missing or not an XML name')
  const issued = moment(root, 'IssueInstant')
  if (Math.abs(now.getTime() - issued.getTime()) > FRESH_SECONDS * 1000)
    refuse(`IssueInstant is more than ${FRESH_SECONDS / 60} minutes from now`)
  const destination = attribute(root, 'Destination')
  if (destination !== undefined && destination !== url) refuse('Destination is another address than this one')
  if (isSigned && destination === undefined) refuse('Destination is missing in a signed request')
  return { id, issuer: textIn(root, ASSERTION, 'Issuer') ?? refuse('Issuer is missing') }
}

/** A logout request says until when it counts (section 3.7.1). */
const assertInTime = (root: Element, now: Date): void => {
  if (
    root.hasAttribute('NotOnOrAfter') &&
    moment(root, 'NotOnOrAfter').getTime() <= now.getTime() - SKEW_SECONDS * 1000
  )
    refuse('NotOnOrAfter has passed')
}

/** Reads a request that was received. Throws UnacceptableMessage. */
export const readAuthnRequest = (root: Element, url: string, isSigned: boolean, now: Date): AuthnRequest => {
  const request = readMessage(root, url, isSigned, now)
  const index = attribute(root, 'AssertionConsumerServiceIndex')
  if (index !== undefined && !/^\d{1,5}$/.test(index)) refuse('AssertionConsumerServiceIndex is not a number')
  const acsUrl = attribute(root, 'AssertionConsumerServiceURL')
  if (acsUrl !== undefined && index !== undefined)
    refuse('AssertionConsumerServiceURL and AssertionConsumerServiceIndex exclude each other')
  const contexts = child(root, PROTOCOL, 'RequestedAuthnContext')
  const subject = child(root, ASSERTION, 'Subject')
  const policy = child(root, PROTOCOL, 'NameIDPolicy')
  return {
    ...request,
    acsUrl,
    acsIndex: index === undefined ? undefined : Number(index),
    isPostWanted: [undefined, POST_BINDING].includes(attribute(root, 'ProtocolBinding')),
    forceAuthn: boolean(root, 'ForceAuthn'),
    isPassive: boolean(root, 'IsPassive'),
    nameIdFormat: policy && attribute(policy, 'Format'),
    subject: subject && (textIn(subject, ASSERTION, 'NameID') ?? refuse('Subject has no NameID')),
    contexts: contexts && {
      classes: childrenNamed(contexts, ASSERTION, 'AuthnContextClassRef').map((each) => textOf(each)?.trim() ?? ''),
      comparison: attribute(contexts, 'Comparison') ?? 'exact',
    },
  }
}

/** The encrypted name in a logout request; undefined: it is not encrypted. Throws UnacceptableMessage where both are there. */
export const encryptedIdIn = (root: Element): Element | undefined => {
  const encrypted = child(root, ASSERTION, 'EncryptedID')
  return encrypted && child(root, ASSERTION, 'NameID') ? refuse('it has both NameID and EncryptedID') : encrypted
}

/** The same for a logout request (section 3.7.1). @param decrypted what its encrypted name is, if it has one */
export const readLogoutRequest = (
  root: Element,
  url: string,
  isSigned: boolean,
  now: Date,
  decrypted?: Element,
): LogoutRequest => {
  const request = readMessage(root, url, isSigned, now)
  assertInTime(root, now)
  return {
    ...request,
    nameId: (decrypted ? textOf(decrypted)?.trim() : textIn(root, ASSERTION, 'NameID')) || refuse('NameID is missing'),
    sessionIndexes: childrenNamed(root, PROTOCOL, 'SessionIndex').map((each) => textOf(each)?.trim() ?? ''),
  }
}

/** Reads the answer to a logout request (section 3.7.2), which is dated and addressed as a request is. Throws UnacceptableMessage. */
export const readLogoutResponse = (root: Element, url: string, isSigned: boolean, now: Date): LogoutResponse => {
  const status = child(root, PROTOCOL, 'Status')
  const code = status && child(status, PROTOCOL, 'StatusCode')
  const detail = code && child(code, PROTOCOL, 'StatusCode')
  return {
    ...readMessage(root, url, isSigned, now),
    inResponseTo: attribute(root, 'InResponseTo'),
    status: (code && attribute(code, 'Value')?.split(':').at(-1)) ?? refuse('Status is missing'),
    isPartial: detail !== undefined && attribute(detail, 'Value') === STATUSES.PartialLogout,
  }
}
