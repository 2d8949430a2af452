import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { signingKeys } from '@countersign/server/domain/tenants/signing-keys.ts'
import { getTenant } from '@countersign/server/domain/tenants/tenants.ts'
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify, SignJWT } from 'jose'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { type Arranged, arrange, authorization, issue, post } from './arrange.ts'

let at: TestServer
let arranged: Arranged
beforeEach(async () => {
  at = await startTestServer(inject('cluster'))
  arranged = await arrange(at, { resource: { accessTokenTtl: 31_536_000 } })
})
afterEach(() => at.close())

const jwks = async ({ issuer }: TestServer): Promise<JSONWebKeySet> =>
  (await fetch(`${issuer}/jwks`)).json() as Promise<JSONWebKeySet>

const states = async ({ api }: TestServer): Promise<{ id: string; status: string; algorithm: string }[]> =>
  (await api('GET', '/configs/oidc/private-keys')).body

const verifies = (at: TestServer, keys: JSONWebKeySet, token: string) =>
  jwtVerify(token, createLocalJWKSet(keys), {
    issuer: at.issuer,
    audience: arranged.resource.indicator,
    currentDate: at.clock.now(),
  }).then(
    () => true,
    () => false,
  )

const kidOf = (token: string) => decodeProtectedHeader(token).kid
const isActive = async (at: TestServer, token: string) =>
  (await post(at, '/token/introspection', { token }, authorization(arranged.client))).body.active

describe('rotation of signing keys (DECISIONS G1)', () => {
  test('refuses no token: tokens signed before, during and after the grace period verify at every later stage', async () => {
    const rotate = (body: object) => at.api('POST', '/configs/oidc/private-keys/rotate', body)
    const [original] = await states(at)
    const before = (await issue(at, arranged)).token
    const jwksBefore = await jwks(at)

    const { body: rotated } = await rotate({ rotationGracePeriod: 600 })
    expect(rotated.map(({ status }: { status: string }) => status)).toEqual(['Next', 'Current'])
    const during = (await issue(at, arranged)).token
    const jwksDuring = await jwks(at)
    expect(kidOf(during)).toBe(original?.id)

    at.clock.advance(599)
    expect((await states(at)).map(({ status }) => status)).toEqual(['Next', 'Current'])
    expect(kidOf((await issue(at, arranged)).token)).toBe(original?.id)

    at.clock.advance(1)
    expect((await states(at)).map(({ status }) => status)).toEqual(['Current', 'Previous'])
    const after = (await issue(at, arranged)).token
    const jwksAfter = await jwks(at)
    expect(kidOf(after)).toBe(rotated[0].id)

    // a verifier that fetched the keys within the grace period, or later, knows every key
    for (const keys of [jwksDuring, jwksAfter]) {
      for (const token of [before, during, after]) expect(await verifies(at, keys, token)).toBe(true)
    }
    // the grace period exists for a verifier that has not fetched them since
    expect(await verifies(at, jwksBefore, before)).toBe(true)
    expect(await verifies(at, jwksBefore, after)).toBe(false)
    for (const token of [before, during, after]) expect(await isActive(at, token)).toBe(true)
  })

  test('deleting a Previous key invalidates its tokens and no others', async () => {
    const [original] = await states(at)
    const old = (await issue(at, arranged)).token
    const oldManagement = await managementToken(at)
    await at.api('POST', '/configs/oidc/private-keys/rotate', { rotationGracePeriod: 1 })
    at.clock.advance(2)
    const young = (await issue(at, arranged)).token
    const youngManagement = await managementToken(at)
    const remove = () =>
      at.api('DELETE', `/configs/oidc/private-keys/${original?.id}`, undefined, { token: youngManagement })
    expect((await remove()).status).toBe(204)

    const keys = await jwks(at)
    expect(keys.keys.map(({ kid }) => kid)).not.toContain(original?.id)
    expect(await verifies(at, keys, old)).toBe(false)
    expect(await verifies(at, keys, young)).toBe(true)
    expect(await isActive(at, old)).toBe(false)
    expect(await isActive(at, young)).toBe(true)
    expect((await at.api('GET', '/resources', undefined, { token: oldManagement })).status).toBe(401)
    expect((await at.api('GET', '/resources', undefined, { token: youngManagement })).status).toBe(200)
    const again = await remove()
    expect({ status: again.status, code: again.body.code }).toEqual({ status: 404, code: 'oidc.key_not_found' })
  })

  test('only a Previous key can be deleted', async () => {
    await at.api('POST', '/configs/oidc/private-keys/rotate', {})
    for (const { id } of await states(at)) {
      const { status, body } = await at.api('DELETE', `/configs/oidc/private-keys/${id}`)
      expect({ status, code: body.code }).toEqual({ status: 422, code: 'oidc.only_previous_key_can_be_deleted' })
    }
    expect(await states(at)).toHaveLength(2)
  })

  test('rotation replaces a key that is still Next, which then never signs', async () => {
    const { body: first } = await at.api('POST', '/configs/oidc/private-keys/rotate', {})
    const { body: second } = await at.api('POST', '/configs/oidc/private-keys/rotate', { algorithm: 'ES384' })
    expect(second).toHaveLength(2)
    expect(second[0]).toMatchObject({ status: 'Next', algorithm: 'ES384' })
    expect(second[0].id).not.toBe(first[0].id)
    at.clock.advance(601)
    expect(kidOf((await issue(at, arranged)).token)).toBe(second[0].id)
  })

  test('after 10 concurrent rotations one key is Next, and one is Current', async () => {
    const rotate = () => at.api('POST', '/configs/oidc/private-keys/rotate', { rotationGracePeriod: 60 })
    const answers = await Promise.all(Array.from({ length: 10 }, rotate))
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect((await states(at)).map(({ status }) => status)).toEqual(['Next', 'Current'])
  })

  test('refuses no token of a node whose clock is slightly ahead, which signs with a key that is still Next here', async () => {
    await at.api('POST', '/configs/oidc/private-keys/rotate', { rotationGracePeriod: 60 })
    const { claims } = await issue(at, arranged)
    const [next] = await signingKeys(at.store, await getTenant(at.store, 'default'))
    if (!next) throw new Error('there is no key')
    expect((await states(at))[0]).toMatchObject({ id: next.id, status: 'Next' })
    const ahead = await new SignJWT(claims)
      .setProtectedHeader({ alg: next.algorithm, typ: 'at+jwt', kid: next.id })
      .sign(next.privateKey)
    expect(await verifies(at, await jwks(at), ahead)).toBe(true)
    expect(await isActive(at, ahead)).toBe(true)
  })

  test('every node of an installation signs with the same key at the same moment', async () => {
    const node = await at.startNode()
    try {
      await issue(node, arranged)
      await at.api('POST', '/configs/oidc/private-keys/rotate', { rotationGracePeriod: 30, algorithm: 'EdDSA' })
      const keysThere = async () => (await (await fetch(`${node.url}/oidc/jwks`)).json()) as JSONWebKeySet
      // the grace period is for a node that does not know the key yet
      await expect.poll(keysThere).toEqual(await jwks(at))
      at.clock.advance(30)
      const [here, there] = [(await issue(at, arranged)).token, (await issue(node, arranged)).token]
      expect(kidOf(there)).toBe(kidOf(here))
      const keys = await keysThere()
      expect(keys).toEqual(await jwks(at))
      expect(await verifies(at, keys, here)).toBe(true)
      expect(await verifies(at, keys, there)).toBe(true)
      const introspected = await post(node, '/token/introspection', { token: here }, authorization(arranged.client))
      expect(introspected.body.active).toBe(true)
    } finally {
      await node.close()
    }
  })
})

const managementToken = async (at: TestServer): Promise<string> => {
  const { credentials } = at
  return (await issue(at, { client: credentials, resource: { id: '', indicator: credentials.resource } }, 'all')).token
}
