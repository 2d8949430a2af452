/** The profile fapi2 is switched on while an application changes: one waits for the other, and what breaks the profile is refused. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { createApplication, updateApplication } from '@countersign/server/domain/applications/applications.ts'
import { updateSecuritySettings } from '@countersign/server/domain/applications/tenant-security.ts'
import { getTenant } from '@countersign/server/domain/tenants/tenants.ts'
import { systemCaller } from '@countersign/server/kernel/caller.ts'
import { operation, perform, type Unit } from '@countersign/server/storage/unit-of-work.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  // the first application, which would break it
  const exempt = { customClientMetadata: { securityProfile: 'none' } }
  const { status } = await server.api('PATCH', `/applications/${server.credentials.clientId}`, exempt)
  expect(status).toBe(200)
})
afterAll(() => server.close())
afterEach(() => server.api('PATCH', '/configs/security', { profile: 'none' }))

const redirectUris = ['https://app.example/callback']
const breaking = { tokenEndpointAuthMethod: 'client_secret_basic' } as const
/** A key of RFC 7517 appendix A.1. */
const key = {
  ...{ kty: 'EC', crv: 'P-256', x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4' },
  y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
}
const keeping = { tokenEndpointAuthMethod: 'private_key_jwt' as const, jwks: { keys: [key] } }
const application = (name: string, customClientMetadata: typeof breaking | typeof keeping) => ({
  ...{ name, type: 'Traditional' as const, customClientMetadata },
  oidcClientMetadata: { redirectUris, postLogoutRedirectUris: [] },
})

const anyoneWaits = async (): Promise<boolean> => {
  const waiting = sql`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  return (await waiting.execute(server.store.database.kysely)).rows.length > 0
}

/** Does the first, and the second before the first is committed: until it waits, or has ended. */
const between = async <R>(first: (unit: Unit) => Promise<unknown>, second: () => Promise<R>): Promise<R> => {
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const held = operation([], async (unit) => {
    await first(unit)
    reached.resolve()
    await released.promise
  })
  const tenant = await getTenant(server.store, 'default')
  const work = { store: server.store, tenant, caller: systemCaller('test') }
  const committed = perform(work, held)
  await Promise.race([reached.promise, committed])
  let hasEnded = false
  const answer = second().finally(() => {
    hasEnded = true
  })
  while (!hasEnded && !(await anyoneWaits())) await nextTurn()
  released.resolve()
  await committed
  return answer
}
const switchOn = () => server.api('PATCH', '/configs/security', { profile: 'fapi2' })

test('an application that is registered meanwhile keeps the tenant from the profile, and is named', async () => {
  const { status, body } = await between(
    (unit) => createApplication.run(unit, application('Meanwhile', breaking)),
    switchOn,
  )
  expect(status).toBe(400)
  expect(JSON.stringify(body)).toContain('Meanwhile')
  const named = await server.api('GET', '/applications?search=Meanwhile')
  expect((await server.api('DELETE', `/applications/${named.body[0].id}`)).status).toBe(204)
})

test('so does one that is changed meanwhile', async () => {
  const { body } = await server.api('POST', '/applications', application('Changed', keeping))
  const change = { customClientMetadata: breaking }
  const { status } = await between((unit) => updateApplication.run(unit, body.id, change), switchOn)
  expect(status).toBe(400)
  expect((await server.api('DELETE', `/applications/${body.id}`)).status).toBe(204)
})

test('while the profile is switched on, what breaks it is neither registered nor changed', async () => {
  const { body: kept } = await server.api('POST', '/applications', application('Kept', keeping))
  const settings = (unit: Unit) => updateSecuritySettings.run(unit, { profile: 'fapi2' })
  const registered = await between(settings, () => server.api('POST', '/applications', application('Late', breaking)))
  expect(registered.status).toBe(400)
  await server.api('PATCH', '/configs/security', { profile: 'none' })
  const change = { customClientMetadata: breaking }
  const changed = await between(settings, () => server.api('PATCH', `/applications/${kept.id}`, change))
  expect(changed.status).toBe(400)
})
