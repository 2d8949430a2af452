/** `/users`: created, read, changed, deleted (WIRE W11). */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { readAll } from '../events/feed.ts'
import { createUser, freshName, idsOf, refusal } from './arrange.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())

const PROFILE = {
  familyName: 'Müller',
  givenName: 'Ann',
  middleName: 'Q.',
  nickname: 'Annie',
  preferredUsername: 'ann',
  profile: 'https://example.com/ann',
  website: 'https://ann.example',
  gender: 'female',
  birthdate: '1990-02-29',
  zoneinfo: 'Europe/Berlin',
  locale: 'de-DE',
  address: { formatted: 'Weg 1\n10115 Berlin', locality: 'Berlin', postalCode: '10115', country: 'Germany' },
}

describe('POST /users', () => {
  test('answers 200 with a user who has an id of 12 characters and nothing else', async () => {
    const { status, body } = await server.api('POST', '/users', {})
    const now = server.clock.now().getTime()
    expect([status, body]).toEqual([
      200,
      {
        tenantId: 'default',
        id: expect.stringMatching(/^[0-9a-z]{12}$/),
        username: null,
        primaryEmail: null,
        primaryPhone: null,
        name: null,
        avatar: null,
        customData: {},
        identities: {},
        profile: {},
        applicationId: null,
        cimdClientId: null,
        isSuspended: false,
        hasPassword: false,
        lastSignInAt: null,
        createdAt: now,
        updatedAt: now,
      },
    ])
    expect((await server.api('GET', `/users/${body.id}`)).body).toEqual(body)
  })

  test('keeps every field that it is given', async () => {
    const fields = {
      username: freshName(),
      primaryEmail: 'Ann.Müller@Example.com',
      primaryPhone: '4915112345678',
      name: 'Ann Müller 👩🏽‍💻',
      avatar: 'https://example.com/a.png?s=1#x',
      customData: { plan: 'pro', nested: [{ a: null }], ключ: '值' },
      profile: PROFILE,
    }
    const { status, body } = await server.api('POST', '/users', { ...fields, password: 'secret' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ ...fields, hasPassword: true })
    expect((await server.api('GET', `/users/${body.id}`)).body).toEqual(body)
  })

  test('no response contains anything of the password', async () => {
    const { body } = await server.api('POST', '/users', { username: freshName(), password: 'top secret' })
    const answers = [
      body,
      (await server.api('GET', `/users/${body.id}?includePasswordHash=true`)).body,
      (await server.api('GET', `/users?search=${body.username}&includePasswordHash=true`)).body,
      (await server.api('PATCH', `/users/${body.id}`, { name: 'x' })).body,
      (await readAll(server.api)).events,
      (await server.api('GET', '/logs?page_size=100')).body,
    ]
    expect(JSON.stringify(answers)).not.toMatch(/argon2|top secret|password_?(hash|digest)/i)
  })

  test('drops fields that a user does not have, and accepts no id from the caller', async () => {
    const { body } = await server.api('POST', '/users', { id: 'mine', isSuspended: true, profile: { shoeSize: 42 } })
    expect(body).toMatchObject({ id: expect.stringMatching(/^[0-9a-z]{12}$/), isSuspended: false, profile: {} })
  })

  test.each([
    { username: 1 },
    { username: null },
    { name: 'x'.repeat(129) },
    { avatar: 'javascript:alert(1)' },
    { avatar: 'data:image/svg+xml,x' },
    { avatar: 'https://user:pass@example.com/' },
    { avatar: 'not an address' },
    { avatar: `https://example.com/${'x'.repeat(2048)}` },
    { customData: [] },
    { customData: 'x' },
    { profile: null },
    { profile: { givenName: 1 } },
    { profile: { address: 'Berlin' } },
    { password: '' },
    { password: 'x'.repeat(257) },
    { passwordDigest: 'x', passwordAlgorithm: 'ROT13' },
  ])('refuses %j with 400', async (fields) => {
    const before = (await readAll(server.api)).cursor
    expect(refusal(await server.api('POST', '/users', fields))).toEqual([400, 'guard.invalid_input'])
    expect((await readAll(server.api, before)).events).toEqual([])
  })
})

describe('PATCH /users/:userId', () => {
  test('changes the named fields, replaces customData and profile, and updates updatedAt', async () => {
    const id = await createUser(server, { name: 'Ann', customData: { a: 1, b: 2 }, profile: PROFILE })
    server.clock.advance(5)
    const { status, body } = await server.api('PATCH', `/users/${id}`, {
      customData: { c: 3 },
      profile: { locale: 'en' },
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({ name: 'Ann', customData: { c: 3 } })
    expect(body.profile).toEqual({ locale: 'en' })
    expect(body.updatedAt - body.createdAt).toBe(5000)
  })

  test.each([null, ''])('%j removes identifiers, name and avatar', async (nothing) => {
    const id = await createUser(server, {
      primaryEmail: `${freshName()}@example.com`,
      name: 'x',
      avatar: 'https://a.example/',
    })
    const fields = { username: nothing, primaryEmail: nothing, primaryPhone: nothing, name: nothing, avatar: nothing }
    const { status, body } = await server.api('PATCH', `/users/${id}`, fields)
    expect(status).toBe(200)
    expect(body).toMatchObject({ username: null, primaryEmail: null, primaryPhone: null, name: null, avatar: null })
  })

  test('an empty change returns the user', async () => {
    const id = await createUser(server)
    const { body } = await server.api('PATCH', `/users/${id}`, {})
    expect(body).toEqual((await server.api('GET', `/users/${id}`)).body)
  })

  test('a changed address is no longer verified, but one that changes only in case still is', async () => {
    const id = await createUser(server, { primaryEmail: `${freshName()}@example.com`, primaryPhone: '4915100000001' })
    const { kysely } = server.store.database
    const verified = { email_verified_at: server.clock.now(), phone_verified_at: server.clock.now() }
    await kysely.updateTable('users').set(verified).where('id', '=', id).execute()
    const isVerified = async () => {
      const row = await kysely.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
      return [row.email_verified_at !== null, row.phone_verified_at !== null]
    }
    const { body } = await server.api('GET', `/users/${id}`)
    await server.api('PATCH', `/users/${id}`, { name: 'x', primaryEmail: body.primaryEmail.toUpperCase() })
    expect(await isVerified()).toEqual([true, true])
    await server.api('PATCH', `/users/${id}`, { primaryEmail: `${freshName()}@example.com`, primaryPhone: null })
    expect(await isVerified()).toEqual([false, false])
  })
})

describe('custom data and profile', () => {
  test('PATCH custom-data merges at the top level and returns the whole', async () => {
    const id = await createUser(server, { customData: { a: { x: 1 }, b: 2 } })
    const { status, body } = await server.api('PATCH', `/users/${id}/custom-data`, {
      customData: { a: { y: 1 }, c: null },
    })
    expect([status, body]).toEqual([200, { a: { y: 1 }, b: 2, c: null }])
    expect((await server.api('GET', `/users/${id}/custom-data`)).body).toEqual(body)
  })

  test('PATCH profile merges at the top level: an address replaces the address', async () => {
    const id = await createUser(server, { profile: PROFILE })
    const address = { country: 'France' }
    const { status, body } = await server.api('PATCH', `/users/${id}/profile`, { profile: { nickname: 'A', address } })
    expect([status, body]).toEqual([200, { ...PROFILE, nickname: 'A', address }])
  })

  test('20 concurrent merges lose nothing', async () => {
    const id = await createUser(server)
    const keys = Array.from({ length: 20 }, (_, index) => `key${index}`)
    await Promise.all(
      keys.map((key) => server.api('PATCH', `/users/${id}/custom-data`, { customData: { [key]: true } })),
    )
    expect(Object.keys((await server.api('GET', `/users/${id}/custom-data`)).body).sort()).toEqual(keys.sort())
  })

  test.each(['__proto__', 'constructor', 'toString'])('the key %s does no harm', async (key) => {
    const id = await createUser(server)
    const customData = Object.fromEntries([[key, { polluted: true }]])
    const answer = await server.api('PATCH', `/users/${id}/custom-data`, { customData })
    if (key === '__proto__') expect(refusal(answer)).toEqual([400, 'guard.invalid_input'])
    else expect(Object.hasOwn(answer.body, key)).toBe(true)
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })
})

describe('suspension and deletion', () => {
  test('is-suspended returns the user, also when nothing changes', async () => {
    const id = await createUser(server)
    const { cursor } = await readAll(server.api)
    for (const isSuspended of [true, true, false]) {
      const { status, body } = await server.api('PATCH', `/users/${id}/is-suspended`, { isSuspended })
      expect([status, body.id, body.isSuspended]).toEqual([200, id, isSuspended])
    }
    const { events } = await readAll(server.api, cursor)
    expect(events.map(({ event, data }) => [event, (data as { isSuspended: boolean }).isSuspended])).toEqual(
      [true, true, false].map((isSuspended) => ['User.SuspensionStatus.Updated', isSuspended]),
    )
  })

  test('DELETE answers 204, emits the deleted user, and leaves nothing; a second time is 404 without an event', async () => {
    const { body: role } = await server.api('POST', '/roles', { name: freshName() })
    const id = await createUser(server, { name: 'Gone' })
    await server.api('POST', `/users/${id}/roles`, { roleIds: [role.id] })
    const { cursor } = await readAll(server.api)
    expect((await server.api('DELETE', `/users/${id}`)).status).toBe(204)
    expect(refusal(await server.api('GET', `/users/${id}`))).toEqual([404, 'entity.not_exists_with_id'])
    expect(idsOf(await server.api('GET', `/roles/${role.id}/users`))).toEqual([])
    expect((await server.api('DELETE', `/users/${id}`)).status).toBe(404)
    expect((await readAll(server.api, cursor)).events).toMatchObject([
      { event: 'User.Deleted', data: { id, name: 'Gone' } },
    ])
  })

  test('20 concurrent deletions: one 204, one event', async () => {
    const id = await createUser(server)
    const { cursor } = await readAll(server.api)
    const answers = await Promise.all(Array.from({ length: 20 }, () => server.api('DELETE', `/users/${id}`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array.from({ length: 19 }, () => 404)])
    expect((await readAll(server.api, cursor)).events).toHaveLength(1)
  })

  test('a concurrent change and deletion: no 500, and the events end with the deletion', async () => {
    const id = await createUser(server)
    const { cursor } = await readAll(server.api)
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, (_, index) => server.api('PATCH', `/users/${id}`, { name: `n${index}` })),
      server.api('DELETE', `/users/${id}`),
      ...Array.from({ length: 10 }, () => server.api('PATCH', `/users/${id}/is-suspended`, { isSuspended: true })),
    ])
    expect(answers.filter(({ status }) => ![200, 204, 404].includes(status))).toEqual([])
    const { events } = await readAll(server.api, cursor)
    expect(events).toHaveLength(answers.filter(({ status }) => status < 300).length)
    expect(events.at(-1)?.event).toBe('User.Deleted')
  })
})
