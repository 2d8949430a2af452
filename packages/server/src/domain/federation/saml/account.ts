/** The account that an assertion describes: which attribute is which, for the names that identity providers use. */
import { identifierKey } from '../../credentials/identifiers.ts'
import { accountOf } from '../account.ts'
import { FederationFailure } from '../failure.ts'
import type { ClaimMap, EnterpriseAccount } from '../provider.ts'
import type { SamlSubject } from './assertion.ts'
import { TRANSIENT } from './names.ts'
import type { SamlAttributes } from './provider.ts'

const WS = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims'

/** The usual names, of which assertions have one or another. */
const USUAL: Omit<SamlAttributes, 'emailVerified'> = {
  id: [],
  email: ['email', 'mail', 'emailAddress', 'Email', 'urn:oid:0.9.2342.19200300.100.1.3', `${WS}/emailaddress`],
  name: [
    ...['name', 'displayName', 'urn:oid:2.16.840.1.113730.3.1.241'],
    ...['http://schemas.microsoft.com/identity/claims/displayname', `${WS}/name`, 'cn', 'urn:oid:2.5.4.3'],
  ],
  avatar: ['picture', 'avatar'],
}

/** `nameID` in a mapping stands for the NameID, which is no attribute. */
const NAME_ID = 'nameID'

/**
 * The names that count for a connector.
 * @param own those of the connector, the only ones where there are any
 * @param preset those of its identity provider, before the usual ones
 */
export const samlAttributes = (own: Partial<ClaimMap>, preset: Partial<ClaimMap>): SamlAttributes => {
  const names = (key: 'id' | 'email' | 'name' | 'avatar') => {
    if (own[key]) return [own[key]]
    return [...(preset[key] ? [preset[key]] : []), ...USUAL[key]]
  }
  return {
    id: names('id').filter((name) => name !== NAME_ID),
    email: names('email'),
    emailVerified: own.emailVerified ? [own.emailVerified] : [],
    name: names('name'),
    avatar: names('avatar'),
  }
}

/** What accountOf reads. */
const PLACES: ClaimMap = {
  id: 'id',
  email: 'email',
  emailVerified: 'emailVerified',
  name: 'name',
  avatar: 'avatar',
}

/**
 * The account. The identity provider is the company's own: its word is what verifies an address, unless it denies that; the caller
 * decides for which domains.
 * Throws FederationFailure where nothing permanent identifies the user.
 */
export const samlAccountOf = (
  { nameId, nameIdFormat, name: named, sessionIndex, authenticatedAt, attributes }: SamlSubject,
  { id, email, emailVerified, name, avatar }: SamlAttributes,
  issuer: string,
): EnterpriseAccount => {
  const first = (names: readonly string[]) =>
    names.map((each) => (each === NAME_ID ? nameId : attributes.get(each)?.[0])).find((value) => value !== undefined)
  const mapped = first(id)
  if (id.length > 0 && mapped === undefined)
    throw new FederationFailure(
      'assertion',
      `the assertion has no attribute ${id.join(' or ')}, which identifies the user`,
    )
  if (id.length === 0 && nameIdFormat === TRANSIENT)
    throw new FederationFailure('assertion', 'the NameID is transient: it does not identify the user permanently')
  const written = first(email) ?? (identifierKey({ type: 'email', value: nameId }) === undefined ? undefined : nameId)
  const account = accountOf(
    { claims: PLACES, isTrusted: true },
    {
      id: mapped ?? nameId,
      ...(written ? { email: written, emailVerified: first(emailVerified)?.toLowerCase() ?? true } : {}),
      name: first(name),
      avatar: first(avatar),
      nameId,
      nameIdFormat,
      attributes: Object.fromEntries(attributes),
    },
  )
  const session = sessionIndex === undefined ? {} : { sessionId: sessionIndex }
  return { ...account, issuer, nameId: named, authenticatedAt, ...session }
}
