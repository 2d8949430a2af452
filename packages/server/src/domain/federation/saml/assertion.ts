/**
 * What an assertion has to say so that a user may be signed in by it: the Web Browser SSO profile (saml-profiles-2.0-os, section
 * 4.1.4.2) and saml-core-2.0-os, section 2.5. The element that is read here is a signed one, as it was signed.
 */
import { childrenNamed, textOf } from '../../../kernel/xml.ts'
import { FederationFailure } from '../failure.ts'
import type { SamlNameId } from '../provider.ts'
import { instantOf, TOLERANCE_MS } from './instants.ts'
import { ASSERTION, BEARER } from './names.ts'

/** What an assertion is held against. */
export interface Awaited {
  readonly now: Date
  /** Entity ID of the identity provider. */
  readonly issuer: string
  /** Our entity ID. */
  readonly audience: string
  /** Our address that the response was posted to. */
  readonly recipient: string
  /** ID of the request that it answers; undefined: the identity provider began. */
  readonly requestId: string | undefined
}

/** What a sound assertion says. */
export interface SamlSubject {
  /** Of the assertion: it is used once. */
  readonly assertionId: string
  /** Until when it could be used again, in milliseconds since 1970. */
  readonly usableUntil: number
  readonly nameId: string
  readonly nameIdFormat: string | undefined
  /** The same with everything that belongs to it. */
  readonly name: SamlNameId
  readonly sessionIndex: string | undefined
  /** When the user signed in there, in milliseconds since 1970. */
  readonly authenticatedAt: number
  /** By name: all values that are text. */
  readonly attributes: ReadonlyMap<string, readonly string[]>
}

const LONGEST_NAME_ID = 256
const MOST_ATTRIBUTES = 500
const LONGEST_VALUE = 4096

const refuse = (sentence: string): never => {
  throw new FederationFailure('assertion', sentence)
}

const only = (parent: Element, name: string): Element => {
  const [found, second] = childrenNamed(parent, ASSERTION, name)
  if (!found || second) return refuse(`the assertion does not have exactly one ${name}`)
  return found
}

/** The text of an element without the white space around it. */
const trimmed = (element: Element): string => (textOf(element) ?? refuse('a text of the assertion has elements')).trim()

/** Refuses an interval that does not include now. @returns its end, if it has one */
const assertTime = (element: Element, what: string, now: number): number | undefined => {
  for (const name of ['NotBefore', 'NotOnOrAfter'])
    if (element.hasAttribute(name) && instantOf(element.getAttribute(name)) === undefined)
      refuse(`${name} of ${what} is no instant`)
  const from = instantOf(element.getAttribute('NotBefore'))
  const until = instantOf(element.getAttribute('NotOnOrAfter'))
  if (from !== undefined && from > now + TOLERANCE_MS) refuse(`${what} is not valid yet (NotBefore)`)
  if (until !== undefined && until <= now - TOLERANCE_MS) refuse(`${what} is no longer valid (NotOnOrAfter)`)
  return until
}

/** Those that we understand, or that add nothing for us; any other could restrict the assertion (section 2.5.1). */
const CONDITIONS = ['AudienceRestriction', 'OneTimeUse', 'ProxyRestriction']

const assertConditions = (assertion: Element, { now, audience }: Awaited): void => {
  const conditions = only(assertion, 'Conditions')
  assertTime(conditions, 'the assertion', now.getTime())
  for (let child = conditions.firstChild; child; child = child.nextSibling)
    if (child.nodeType === 1 && !CONDITIONS.includes((child as Element).localName))
      refuse('the assertion has a condition that is not understood')
  const restrictions = childrenNamed(conditions, ASSERTION, 'AudienceRestriction')
  if (restrictions.length === 0) refuse('the assertion has no audience')
  for (const restriction of restrictions)
    if (!childrenNamed(restriction, ASSERTION, 'Audience').map(trimmed).includes(audience))
      refuse('the assertion is for another audience')
}

/** Why a confirmation does not hold; a number: it holds until then. */
const confirmed = (confirmation: Element, { now, recipient, requestId }: Awaited): number | string => {
  if (confirmation.getAttribute('Method') !== BEARER) return 'the subject is not confirmed as bearer'
  const [data] = childrenNamed(confirmation, ASSERTION, 'SubjectConfirmationData')
  if (!data) return 'the confirmation of the subject has no data'
  if (data.getAttribute('Recipient') !== recipient) return 'the assertion is for another recipient'
  const inResponseTo = data.hasAttribute('InResponseTo') ? data.getAttribute('InResponseTo') : undefined
  if (inResponseTo !== requestId) return 'the assertion does not answer this request (InResponseTo)'
  const until = assertTime(data, 'the confirmation of the subject', now.getTime())
  return until ?? 'the confirmation of the subject has no NotOnOrAfter'
}

/** Until when the subject is confirmed: one confirmation that holds is enough (section 2.4.1.1). */
const assertSubject = (subject: Element, awaited: Awaited): number => {
  const confirmations = childrenNamed(subject, ASSERTION, 'SubjectConfirmation')
  let problem: unknown = new FederationFailure('assertion', 'the subject is not confirmed')
  for (const confirmation of confirmations)
    try {
      const result = confirmed(confirmation, awaited)
      if (typeof result === 'number') return result
      problem = new FederationFailure('assertion', result)
    } catch (error) {
      problem = error
    }
  throw problem
}

const assertAuthenticated = (
  assertion: Element,
  now: number,
): Pick<SamlSubject, 'sessionIndex' | 'authenticatedAt'> => {
  const [statement] = childrenNamed(assertion, ASSERTION, 'AuthnStatement')
  if (!statement) return refuse('the assertion does not say that the user was authenticated')
  const [at, until] = ['AuthnInstant', 'SessionNotOnOrAfter'].map((name) => instantOf(statement.getAttribute(name)))
  if (at === undefined || at > now + TOLERANCE_MS) return refuse('the user was authenticated in the future')
  if (until !== undefined && until <= now - TOLERANCE_MS)
    return refuse('the session at the identity provider has ended')
  return { sessionIndex: statement.getAttribute('SessionIndex') || undefined, authenticatedAt: at }
}

const attributesOf = (assertion: Element): ReadonlyMap<string, readonly string[]> => {
  const attributes = childrenNamed(assertion, ASSERTION, 'AttributeStatement').flatMap((statement) =>
    childrenNamed(statement, ASSERTION, 'Attribute'),
  )
  if (attributes.length > MOST_ATTRIBUTES) refuse(`the assertion has more than ${MOST_ATTRIBUTES} attributes`)
  const found = new Map<string, string[]>()
  for (const attribute of attributes) {
    const values = childrenNamed(attribute, ASSERTION, 'AttributeValue')
      .flatMap((value) => textOf(value)?.trim() ?? [])
      .filter((value) => value !== '' && value.length <= LONGEST_VALUE)
    const name = attribute.getAttribute('Name') ?? ''
    found.set(name, [...(found.get(name) ?? []), ...values])
  }
  return found
}

/** The NameID of a subject, or an encrypted one: exactly one of them. */
const nameIdOf = (subject: Element, decrypted: Element | undefined): Element => {
  if (decrypted && childrenNamed(subject, ASSERTION, 'NameID').length > 0)
    return refuse('the subject has a NameID besides the one that is encrypted')
  return decrypted ?? only(subject, 'NameID')
}

const named = (element: Element, value: string): SamlNameId => {
  const attribute = (name: string, key: keyof SamlNameId) => {
    const found = element.getAttribute(name)
    return found ? { [key]: found } : {}
  }
  return {
    value,
    ...attribute('Format', 'format'),
    ...attribute('NameQualifier', 'nameQualifier'),
    ...attribute('SPNameQualifier', 'spNameQualifier'),
  }
}

/** The encrypted NameID of an assertion; undefined: it has none. */
export const encryptedNameId = (assertion: Element): Element | undefined => {
  const [found, second] = childrenNamed(only(assertion, 'Subject'), ASSERTION, 'EncryptedID')
  return second ? refuse('the subject has several encrypted NameIDs') : found
}

/**
 * Reads an assertion that is signed. Throws FederationFailure for whatever does not hold.
 * @param decrypted what its encrypted NameID is, if it has one
 */
export const readAssertion = (assertion: Element, awaited: Awaited, decrypted?: Element): SamlSubject => {
  const now = awaited.now.getTime()
  if (assertion.getAttribute('Version') !== '2.0') refuse('the assertion is not of SAML 2.0')
  const issuer = only(assertion, 'Issuer')
  if (trimmed(issuer) !== awaited.issuer) refuse('the assertion is by another issuer')
  const issued = instantOf(assertion.getAttribute('IssueInstant'))
  if (issued === undefined || issued > now + TOLERANCE_MS) refuse('the assertion was issued in the future')
  const subject = only(assertion, 'Subject')
  const usableUntil = assertSubject(subject, awaited)
  assertConditions(assertion, awaited)
  const authenticated = assertAuthenticated(assertion, now)
  const nameId = nameIdOf(subject, decrypted)
  const text = trimmed(nameId)
  if (text === '' || text.length > LONGEST_NAME_ID)
    refuse(`the NameID is empty or longer than ${LONGEST_NAME_ID} characters`)
  return {
    assertionId: assertion.getAttribute('ID') ?? '',
    usableUntil: usableUntil + TOLERANCE_MS,
    nameId: text,
    nameIdFormat: nameId.getAttribute('Format') || undefined,
    name: named(nameId, text),
    ...authenticated,
    attributes: attributesOf(assertion),
  }
}
