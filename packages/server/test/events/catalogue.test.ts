/** The catalogue of events holds exactly the types of SPEC 6.1, each with a schema for what it carries. */
import { EVENT_TYPES, EVENTS, eventSchema } from '@countersign/contract/events.ts'
import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'

/** The first column of the three tables of SPEC 6.1, as it is printed there. */
const SPEC_6_1 = `
| PostRegister |
| PostSignIn |
| PostResetPassword |
| User.Created |
| User.Deleted |
| User.Data.Updated |
| User.SuspensionStatus.Updated |
| Role.Created / Role.Deleted |
| Role.Data.Updated |
| Role.Scopes.Updated |
| Scope.Created / Scope.Deleted |
| Scope.Data.Updated |
| Organization.Created / Organization.Deleted |
| Organization.Data.Updated |
| Organization.Membership.Updated |
| OrganizationRole.Created / OrganizationRole.Deleted |
| OrganizationRole.Data.Updated |
| OrganizationRole.Scopes.Updated |
| OrganizationScope.Created / OrganizationScope.Deleted |
| OrganizationScope.Data.Updated |
| TrustedDevice.Created |
| TrustedDevice.Deleted |
| Identifier.Lockout |
| Message.RateLimited |
| Grant.LimitExceeded |
`
const types = [...SPEC_6_1.matchAll(/[\w.]+/g)].map(([type]) => type)

/** Hooks of scripts for Logto ask for it. */
const ADDED = ['PostSignInAdaptiveMfaTriggered']
/** Applications that register themselves, and those that ask for users without a browser (DECISIONS Y4, F29). */
const OWN = ['Application.Registered', 'Application.Unregistered', 'BackchannelAuthentication.Requested']

test('the catalogue is exactly SPEC 6.1, what Logto has in addition, and our own', () => {
  expect([...EVENT_TYPES].sort()).toEqual([...types, ...ADDED, ...OWN].sort())
})

test('there is no TrustedDevice.Expired: natural expiry is not emitted', () => {
  expect(EVENT_TYPES).not.toContain('TrustedDevice.Expired')
})

describe.each(EVENT_TYPES)('%s', (type) => {
  const schema = eventSchema(type)
  test('says when it occurs', () => {
    expect(EVENTS[type].occurs).toMatch(/^[A-Z].+\.$/)
  })
  test('has a schema with the envelope and its own fields, which refuses another type', () => {
    const validator = Compile(schema)
    expect(schema.required).toEqual(expect.arrayContaining(['id', 'sequence', 'event', 'createdAt']))
    expect(Object.keys(schema.properties)).toEqual(expect.arrayContaining(Object.keys(EVENTS[type].fields.properties)))
    expect(Object.keys(EVENTS[type].fields.properties).length).toBeGreaterThan(0)
    expect(validator.Check({ id: 'a', sequence: 1, event: 'Other', createdAt: '2026-01-01T00:00:00.000Z' })).toBe(false)
  })
})

test.each([
  ['TrustedDevice.Created', 'data.expiresAt'],
  ['Message.RateLimited', 'action'],
  ['Message.RateLimited', 'recipient'],
  ['Organization.Membership.Updated', 'addedUserIds'],
  ['Organization.Membership.Updated', 'removedApplicationIds'],
] as const)('%s carries %s, as SPEC 6.1 says', (type, path) => {
  const found = path
    .split('.')
    .reduce<Record<string, unknown> | undefined>(
      (schema, key) => (schema?.properties as Record<string, Record<string, unknown>> | undefined)?.[key],
      EVENTS[type].fields as unknown as Record<string, unknown>,
    )
  expect(found?.type).toMatch(/^(string|array)$/)
})
