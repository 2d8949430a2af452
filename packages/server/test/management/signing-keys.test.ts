/** Signing keys through the API: states, rotation, deletion (DECISIONS G1). That no token is refused is the protocol's. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { managementToken } from './arrange.ts'

let server: TestServer
interface Key {
  readonly id: string
  readonly status: string
  readonly algorithm: string
}
const PATH = '/configs/oidc/private-keys'
const list = async (): Promise<Key[]> => (await server.api('GET', PATH)).body
const rotate = (body: Record<string, unknown> = {}) => server.api('POST', `${PATH}/rotate`, body)
const states = (keys: readonly Key[]) => keys.map(({ status }) => status)
const jwks = async () => {
  const answer = await fetch(`${server.issuer}/jwks`)
  const { keys } = (await answer.json()) as { keys: Record<string, string>[] }
  return keys
}

describe('a request', () => {
  beforeAll(async () => {
    server = await startTestServer(inject('cluster'))
  })
  beforeEach(() => server.clock.advance(1))
  afterAll(() => server.close())

  test.each([
    { algorithm: 'none' },
    { algorithm: 'HS256' },
    { signingKeyAlgorithm: 'OKP' },
    { rotationGracePeriod: -1 },
    { rotationGracePeriod: 0.5 },
    { rotationGracePeriod: 2_592_001 },
  ])('rotating with %j is 400', async (body) => {
    expect((await rotate(body)).status).toBe(400)
    expect(await list()).toHaveLength(1)
  })

  test.each([
    [{ signingKeyAlgorithm: 'RSA' }, 'RS256', 'RSA'],
    [{ signingKeyAlgorithm: 'EC' }, 'ES256', 'EC'],
    [{ algorithm: 'ES384' }, 'ES384', 'EC'],
    [{ algorithm: 'EdDSA' }, 'EdDSA', 'OKP'],
    [{ algorithm: 'RS256', signingKeyAlgorithm: 'EC' }, 'RS256', 'RSA'],
  ])('rotating with %j makes a key of %s', async (body, algorithm, signingKeyAlgorithm) => {
    const { body: keys } = await rotate({ ...body, rotationGracePeriod: 0 })
    expect(keys[0]).toMatchObject({ algorithm, signingKeyAlgorithm, status: 'Current' })
    server.clock.advance(1)
    const { body: again } = await rotate({ rotationGracePeriod: 0 })
    expect(again[0].algorithm).toBe(algorithm)
  })
})

describe('the keys of a new tenant', () => {
  beforeEach(async () => {
    server = await startTestServer(inject('cluster'))
    server.clock.advance(1)
  })
  afterEach(() => server.close())

  test('a tenant starts with one ES256 key, Current, and no private part leaves the server', async () => {
    const { status, body } = await server.api('GET', PATH)
    expect(status).toBe(200)
    expect(body).toEqual([
      {
        id: expect.stringMatching(/^[\w-]{43}$/),
        createdAt: expect.any(Number),
        signingKeyAlgorithm: 'EC',
        algorithm: 'ES256',
        chain: 'main',
        status: 'Current',
        effectiveAt: expect.any(Number),
      },
    ])
    for (const key of await jwks()) {
      expect(['d', 'p', 'q', 'dp', 'dq', 'qi', 'k'].filter((part) => part in key)).toEqual([])
    }
  })

  test('a rotated key is Next for 600 seconds, then Current, and the one before it Previous; all are published', async () => {
    const [first] = await list()
    const { status, body } = await rotate()
    expect(status).toBe(200)
    expect(states(body)).toEqual(['Next', 'Current'])
    expect(body[0].effectiveAt - server.clock.now().getTime()).toBe(600_000)
    server.clock.advance(599)
    expect(states(await list())).toEqual(['Next', 'Current'])
    server.clock.advance(1)
    const after = await list()
    expect(states(after)).toEqual(['Current', 'Previous'])
    expect(after[1]?.id).toBe(first?.id)
    expect((await jwks()).map(({ kid }) => kid).sort()).toEqual(after.map(({ id }) => id).sort())
  })

  test('without a grace period the new key is Current immediately', async () => {
    const { body } = await rotate({ rotationGracePeriod: 0 })
    expect(states(body)).toEqual(['Current', 'Previous'])
  })

  test('a key that is still Next is replaced by the next rotation', async () => {
    const { body: before } = await rotate()
    const { body: after } = await rotate()
    expect(states(after)).toEqual(['Next', 'Current'])
    expect(after[0].id).not.toBe(before[0].id)
  })

  describe('DELETE', () => {
    test('removes a Previous key, from the JWKS too', async () => {
      const { body } = await rotate({ rotationGracePeriod: 0 })
      const previous = body[1].id
      const token = await managementToken(server, 'all')
      expect((await server.api('DELETE', `${PATH}/${previous}`, undefined, { token })).status).toBe(204)
      expect((await server.api('GET', PATH, undefined, { token })).body).toMatchObject([{ id: body[0].id }])
      expect((await jwks()).map(({ kid }) => kid)).toEqual([body[0].id])
      const again = await server.api('DELETE', `${PATH}/${previous}`, undefined, { token })
      expect([again.status, again.body.code]).toEqual([404, 'oidc.key_not_found'])
      // the first token of this test was signed by the deleted key
      expect((await server.api('GET', PATH)).status).toBe(401)
    })

    test('refuses the Current and the Next key with 422', async () => {
      const { body } = await rotate()
      for (const { id } of body) {
        const { status, body: error } = await server.api('DELETE', `${PATH}/${id}`)
        expect([status, error.code]).toEqual([422, 'oidc.only_previous_key_can_be_deleted'])
      }
      expect(await list()).toHaveLength(2)
    })
  })

  test('10 concurrent rotations and deletions: none fails, and exactly one key is Current', async () => {
    const { body } = await rotate({ rotationGracePeriod: 0 })
    server.clock.advance(1)
    const token = await managementToken(server, 'all')
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        i % 2
          ? server.api('POST', `${PATH}/rotate`, { rotationGracePeriod: i }, { token })
          : server.api('DELETE', `${PATH}/${body[1].id}`, undefined, { token }),
      ),
    )
    expect(answers.filter(({ status }) => ![200, 204, 404].includes(status))).toEqual([])
    const { body: keys } = await server.api('GET', PATH, undefined, { token })
    expect(states(keys)).toEqual(['Next', 'Current'])
  })
})
