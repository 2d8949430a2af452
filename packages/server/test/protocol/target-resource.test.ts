import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { arrange, askToken, fresh, issue, registerApplication } from './arrange.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
beforeEach(async () => {
  const { body } = await server.api('GET', '/resources?page_size=100')
  for (const { id, isDefault } of body) {
    if (isDefault) await server.api('PATCH', `/resources/${id}/is-default`, { isDefault: false })
  }
})
afterAll(() => server.close())

const audience = async (client: Awaited<ReturnType<typeof registerApplication>>) => {
  const { status, body } = await askToken(server, client)
  return status === 200 ? decodeJwt(body.access_token).aud : body.error
}

describe('the default API (SPEC 2.3, DECISIONS D2, D5)', () => {
  test('setting, replacing and unsetting it takes effect with the next token requested without resource', async () => {
    const first = await arrange(server)
    const second = await arrange(server)
    const setDefault = ({ resource }: typeof first, isDefault: boolean) =>
      server.api('PATCH', `/resources/${resource.id}/is-default`, { isDefault })

    expect(await audience(first.client)).toBe('invalid_target')
    await setDefault(first, true)
    expect(await audience(first.client)).toBe(first.resource.indicator)
    await setDefault(second, true)
    expect(await audience(first.client)).toBe(second.resource.indicator)
    await setDefault(first, false)
    expect(await audience(first.client)).toBe(second.resource.indicator)
    await setDefault(second, false)
    expect(await audience(first.client)).toBe('invalid_target')
  })

  test('an API that is registered as the default replaces the one before', async () => {
    const before = await arrange(server, { resource: { isDefault: true } })
    expect(await audience(before.client)).toBe(before.resource.indicator)
    const after = await arrange(server, { resource: { isDefault: true } })
    expect(await audience(before.client)).toBe(after.resource.indicator)
    const { body } = await server.api('GET', '/resources')
    expect(body.filter((resource: { isDefault: boolean }) => resource.isDefault)).toHaveLength(1)
  })

  test('deleting it leaves no default API', async () => {
    const { client, resource } = await arrange(server, { resource: { isDefault: true } })
    expect(await audience(client)).toBe(resource.indicator)
    await server.api('DELETE', `/resources/${resource.id}`)
    expect(await audience(client)).toBe('invalid_target')
  })

  test('its permissions are granted as if the request had named it', async () => {
    const { client } = await arrange(server, { resource: { isDefault: true } })
    const { body } = await askToken(server, client, { scope: 'read:orders write:orders' })
    expect(body.scope).toBe('read:orders')
  })

  test('after 20 concurrent requests to make each of 20 APIs the default, exactly one is', async () => {
    const { client } = await arrange(server)
    const created = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        server.api('POST', '/resources', { name: 'x', indicator: `https://many.example/${i}` }),
      ),
    )
    const answers = await Promise.all(
      created.map(({ body }) => server.api('PATCH', `/resources/${body.id}/is-default`, { isDefault: true })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    const { body: listed } = await server.api('GET', '/resources?page_size=100')
    const defaults = listed.filter((resource: { isDefault: boolean }) => resource.isDefault)
    expect(defaults).toHaveLength(1)
    expect(await audience(client)).toBe(defaults[0].indicator)
  })
})

describe('the resource of a token', () => {
  test('an API that was just unknown is found as soon as it is registered', async () => {
    const client = await registerApplication(server)
    const indicator = 'https://late.example'
    expect((await askToken(server, client, { resource: indicator })).body.error).toBe('invalid_target')
    const { body: resource } = await server.api('POST', '/resources', { name: 'Late', indicator })
    expect((await askToken(server, client, { resource: indicator })).status).toBe(200)
    await server.api('DELETE', `/resources/${resource.id}`)
    expect((await askToken(server, client, { resource: indicator })).body.error).toBe('invalid_target')
  })

  test('its accessTokenTtl is the lifetime of its tokens, from the next token on (DECISIONS G3)', async () => {
    const arranged = await arrange(server, { resource: { accessTokenTtl: 1 } })
    const life = async () => {
      const { claims, body } = await issue(server, arranged)
      expect(body.expires_in).toBe((claims.exp ?? 0) - (claims.iat ?? 0))
      return body.expires_in
    }
    expect(await life()).toBe(1)
    await server.api('PATCH', `/resources/${arranged.resource.id}`, { accessTokenTtl: 31_536_000 })
    expect(await life()).toBe(31_536_000)
  })

  test('the lifetime is 3600 seconds unless said otherwise (SPEC 2.1, 8)', async () => {
    expect((await issue(server, await arrange(server))).body.expires_in).toBe(3600)
  })

  test.each([
    'urn:example:orders',
    'https://api.example/v1?tenant=a&b=%20c',
    'https://API.example/Case',
    'api://orders',
    'https://api.example/%E2%82%AC',
  ])('%s is taken byte for byte', async (indicator) => {
    const client = await registerApplication(server)
    await server.api('POST', '/resources', { name: fresh('x'), indicator })
    const { status, body } = await askToken(server, client, { resource: indicator })
    expect(status).toBe(200)
    expect(decodeJwt(body.access_token).aud).toBe(indicator)
    const other = await askToken(server, client, { resource: indicator.replace(/e/, 'E') })
    expect(other.body.error).toBe('invalid_target')
  })

  test('a permission of another API is not granted, even if a role holds it', async () => {
    const one = await arrange(server)
    const other = await arrange(server)
    const { body } = await askToken(server, one.client, { resource: other.resource.indicator, scope: 'read:orders' })
    expect(body.scope).toBe('')
  })
})
