/**
 * The schemas of the resources that the server has (RFC 7643 section 4), as `/Schemas` publishes them and input is
 * parsed.
 */
import { type Attribute, attribute, complex, plural, type Schema } from './attributes.ts'

const reference = (name: string, description: string, ...referenceTypes: string[]): Attribute =>
  attribute(name, description, { type: 'reference', caseExact: true, referenceTypes })

const readOnly = { mutability: 'readOnly' } as const

export const USER_SCHEMA: Schema = {
  id: 'urn:ietf:params:scim:schemas:core:2.0:User',
  name: 'User',
  description: 'A user',
  attributes: [
    attribute('userName', 'The name of the user in the directory; often an email address', {
      required: true,
      uniqueness: 'server',
    }),
    complex('name', 'The parts of the name', [
      attribute('formatted', 'The whole name'),
      attribute('familyName', 'The family name'),
      attribute('givenName', 'The given name'),
      attribute('middleName', 'The middle name'),
      attribute('honorificPrefix', 'A title before the name'),
      attribute('honorificSuffix', 'A suffix of the name'),
    ]),
    attribute('displayName', 'The display name'),
    attribute('nickName', 'The casual name'),
    reference('profileUrl', 'A page about the user', 'external'),
    attribute('title', 'The title, such as Vice President'),
    attribute('userType', 'How the user is related to the organization'),
    attribute('preferredLanguage', 'The preferred languages, as Accept-Language has them'),
    attribute('locale', 'The locale, such as en-US'),
    attribute('timezone', 'The time zone, such as Europe/Berlin'),
    attribute('active', 'Whether the user can sign in', { type: 'boolean' }),
    plural('emails', 'Email addresses; the primary one is what the user signs in with', ['work', 'home', 'other']),
    plural('phoneNumbers', 'Phone numbers; the user does not sign in with them', [
      ...['work', 'home', 'mobile', 'fax', 'pager', 'other'],
    ]),
    plural('ims', 'Instant messaging addresses'),
    plural('photos', 'Pictures; an https address becomes the avatar', ['photo', 'thumbnail'], {
      type: 'reference',
      caseExact: true,
      referenceTypes: ['external'],
    }),
    complex(
      'addresses',
      'Postal addresses',
      [
        attribute('formatted', 'The whole address'),
        attribute('streetAddress', 'Street and number'),
        attribute('locality', 'The city'),
        attribute('region', 'The state or region'),
        attribute('postalCode', 'The postal code'),
        attribute('country', 'The country'),
        attribute('type', 'The kind of the address', { canonicalValues: ['work', 'home', 'other'] }),
        attribute('primary', 'Whether it is the preferred one', { type: 'boolean' }),
      ],
      { multiValued: true },
    ),
    complex(
      'groups',
      'The groups that the user is a member of; changed at the groups',
      [
        attribute('value', 'The id of the group', { ...readOnly, caseExact: true }),
        attribute('$ref', 'The address of the group', { ...readOnly, type: 'reference', referenceTypes: ['Group'] }),
        attribute('display', 'The name of the group', readOnly),
        attribute('type', 'direct', { ...readOnly, canonicalValues: ['direct'] }),
      ],
      { ...readOnly, multiValued: true },
    ),
    plural('entitlements', 'Entitlements in the directory; they give no permissions here'),
    plural('roles', 'Roles in the directory; they give no permissions here: groups do'),
    plural('x509Certificates', 'Certificates', [], { type: 'binary', caseExact: true }),
  ],
}

export const ENTERPRISE_SCHEMA: Schema = {
  id: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  name: 'EnterpriseUser',
  description: 'Attributes of users in enterprises',
  attributes: [
    attribute('employeeNumber', 'The number of the employee'),
    attribute('costCenter', 'The cost center'),
    attribute('organization', 'The organization'),
    attribute('division', 'The division'),
    attribute('department', 'The department'),
    complex('manager', 'The manager', [
      attribute('value', 'The id of the manager', { caseExact: true }),
      attribute('$ref', 'The address of the manager', { type: 'reference', referenceTypes: ['User'] }),
      attribute('displayName', 'The name of the manager'),
    ]),
  ],
}

export const GROUP_SCHEMA: Schema = {
  id: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  name: 'Group',
  description: 'A group; its members hold the roles that an administrator of the server has mapped it to',
  attributes: [
    attribute('displayName', 'The name of the group', { required: true, uniqueness: 'server' }),
    complex(
      'members',
      'The members: users of the directory',
      [
        attribute('value', 'The id of the user', { mutability: 'immutable', caseExact: true }),
        attribute('$ref', 'The address of the user', {
          ...{ mutability: 'immutable', type: 'reference', caseExact: true, referenceTypes: ['User'] },
        }),
        attribute('type', 'User', { mutability: 'immutable', canonicalValues: ['User'] }),
      ],
      { multiValued: true },
    ),
  ],
}

/** The attributes of every resource (RFC 7643 section 3.1); no schema lists them. */
const COMMON: readonly Attribute[] = [
  attribute('id', 'The id', { ...readOnly, caseExact: true, returned: 'always', uniqueness: 'server' }),
  attribute('externalId', 'The id in the directory', { caseExact: true }),
  complex(
    'meta',
    'About the resource itself',
    [
      attribute('resourceType', 'User or Group', { ...readOnly, caseExact: true }),
      attribute('created', 'When it was created', { ...readOnly, type: 'dateTime' }),
      attribute('lastModified', 'When it was last changed', { ...readOnly, type: 'dateTime' }),
      attribute('location', 'Its address', { ...readOnly, type: 'reference', caseExact: true }),
      attribute('version', 'Its ETag', { ...readOnly, caseExact: true }),
    ],
    readOnly,
  ),
]

/** A kind of resource: its endpoint and its attributes. */
export interface ResourceType {
  readonly name: 'User' | 'Group'
  readonly endpoint: '/Users' | '/Groups'
  readonly schema: Schema
  readonly extensions: readonly Schema[]
  /** Those of its schema and those that every resource has. */
  readonly attributes: readonly Attribute[]
}

export const USER: ResourceType = {
  name: 'User',
  endpoint: '/Users',
  schema: USER_SCHEMA,
  extensions: [ENTERPRISE_SCHEMA],
  attributes: [...COMMON, ...USER_SCHEMA.attributes],
}

export const GROUP: ResourceType = {
  name: 'Group',
  endpoint: '/Groups',
  schema: GROUP_SCHEMA,
  extensions: [],
  attributes: [...COMMON, ...GROUP_SCHEMA.attributes],
}
