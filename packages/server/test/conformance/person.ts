/** A user who has every claim of OpenID Connect Core section 5.1, as the suite requires. */
import type { TestServer } from '@countersign/harness/server.ts'
import { expect } from 'vitest'
import { PASSWORD } from '../sign-in/arrange.ts'
import type { Flow, Person } from './relying-party.ts'

/** Scope → its claims (OpenID Connect Core section 5.4). */
export const SCOPE_CLAIMS = {
  profile: [
    ...['name', 'given_name', 'family_name', 'middle_name', 'nickname', 'preferred_username', 'profile', 'picture'],
    ...['website', 'gender', 'birthdate', 'zoneinfo', 'locale', 'updated_at'],
  ],
  email: ['email', 'email_verified'],
  address: ['address'],
  phone: ['phone_number', 'phone_number_verified'],
} as const

export const createPerson = async ({ api }: TestServer): Promise<Person> => {
  const { body } = await api('POST', '/users', {
    username: 'ada',
    password: PASSWORD,
    primaryEmail: 'ada@rp.example',
    primaryPhone: '4915112345678',
    name: 'Ada Lovelace',
    avatar: 'https://rp.example/ada.png',
    profile: {
      givenName: 'Ada',
      familyName: 'Lovelace',
      middleName: 'Augusta',
      nickname: 'Countess',
      preferredUsername: 'ada',
      profile: 'https://rp.example/ada',
      website: 'https://rp.example',
      gender: 'female',
      birthdate: '1915-12-10',
      zoneinfo: 'Europe/London',
      locale: 'en-GB',
      address: { formatted: '12 St James’s Square, London', locality: 'London', country: 'United Kingdom' },
    },
  })
  return { id: body.id, username: 'ada' }
}

/**
 * After a flow of this user: userinfo has every claim of the requested scopes; no claim of another scope is anywhere.
 */
export const checkScopeClaims = (scope: string, { tokens, userinfo }: Pick<Flow, 'tokens' | 'userinfo'>): void => {
  const asked = scope.split(' ')
  for (const [name, claims] of Object.entries(SCOPE_CLAIMS)) {
    const isAsked = asked.includes(name)
    for (const claim of claims) {
      expect(claim in userinfo, `${claim} is in userinfo`).toBe(isAsked)
      if (!isAsked) expect(tokens.claims, 'the ID token').not.toHaveProperty(claim)
    }
  }
  // a warning of the suite: section 5.4 has these at userinfo, and our ID token has the email address too
  if (asked.includes('email')) expect(tokens.claims.email).toBe(userinfo.email)
}
