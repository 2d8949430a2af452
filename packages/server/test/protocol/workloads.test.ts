/** DECISIONS H13: workloads authenticate with a token of their own platform, in place of a secret. */
import { createHmac, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { claimNamed, objectionToClaimName } from '@countersign/server/domain/applications/claim-names.ts'
import { matchesPattern, objectionToPattern } from '@countersign/server/domain/applications/claim-patterns.ts'
import fc from 'fast-check'
import { exportSPKI, importJWK, type JWTPayload, SignJWT } from 'jose'
import * as oauth from 'oauth4webapi'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Arranged, arrange, type BodyOf, post } from './arrange.ts'
import { ASSERTION_TYPE, askWith, type KeyPair, makeKey, nowOf } from './assertions.ts'

type Metadata = NonNullable<BodyOf<'createApplication'>['customClientMetadata']>
type Credential = NonNullable<Metadata['federatedCredentials']>[number]
type Workload = Arranged & { readonly id: string }

const SUBJECT = 'repo:octo/shop:ref:refs/heads/main'
const CLUSTER = 'https://kubernetes.default.svc'

let server: TestServer
let key: KeyPair
let other: KeyPair
let stranger: KeyPair
/** What the platform answers with at a path, and what it was asked for. */
const answers = new Map<string, unknown>()
let asked: string[] = []
const platform = createServer((request, response) => {
  asked.push(String(request.url))
  const answer = answers.get(String(request.url))
  response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(answer ?? {}))
})
let address: string
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  await new Promise<void>((resolve) => platform.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(platform.address() as AddressInfo).port}`
  key = await makeKey('RS256', { kid: 'one', use: 'sig' })
  other = await makeKey('ES384', { kid: 'two' })
  stranger = await makeKey('RS256', { kid: 'one' })
})
afterAll(async () => {
  await server.close()
  platform.close()
})

/** A platform at its own path that publishes keys. */
let platforms = 0
const newIssuer = (...pairs: readonly KeyPair[]): string => {
  platforms += 1
  const issuer = `${address}/${platforms}`
  answers.set(`/${platforms}/.well-known/openid-configuration`, { issuer, jwks_uri: `${issuer}/keys` })
  publish(issuer, ...pairs)
  asked = []
  return issuer
}
const publish = (issuer: string, ...pairs: readonly KeyPair[]) =>
  answers.set(`${new URL(issuer).pathname}/keys`, { keys: pairs.map(({ jwk }) => jwk) })

const workloadOf = async (...federatedCredentials: Credential[]): Promise<Workload> => {
  const arranged = await arrange(server, { metadata: { federatedCredentials } })
  return { ...arranged, id: arranged.client.clientId }
}
const tokenOf = (
  iss: string,
  { privateKey, algorithm, jwk }: KeyPair,
  { claims = {}, header = {} }: { claims?: JWTPayload; header?: Record<string, unknown> } = {},
) => {
  const now = nowOf(server)
  const whole = { iss, sub: SUBJECT, aud: server.issuer, jti: randomUUID(), iat: now, exp: now + 300, ...claims }
  return new SignJWT(whole)
    .setProtectedHeader({ alg: algorithm, kid: String(jwk.kid), typ: 'JWT', ...header })
    .sign(privateKey)
}
const ask = (workload: Workload, assertion: string) => askWith(server, workload, assertion, { client_id: workload.id })
const outcome = async (workload: Workload, assertion: string) => {
  // entries of the same time have no order
  server.clock.advance(1)
  const { status, body } = await ask(workload, assertion)
  return [status, body.error]
}
const audited = async ({ id }: Workload) => {
  const { body } = await server.api('GET', `/logs?logKey=ExchangeTokenBy.Unknown&page_size=1`)
  expect(String(body[0]?.payload.reason)).toContain(id)
  return String(body[0]?.payload.reason)
}

describe('a workload gets a token without a secret', () => {
  test('by keys that are found by discovery; the log names the credential and the workload', async () => {
    const issuer = newIssuer(key, other)
    const workload = await workloadOf({
      name: 'deploy',
      issuer,
      subject: 'repo:octo/*:ref:refs/heads/main',
      claims: [{ name: 'environment', value: 'production' }],
    })
    const claims = { environment: 'production' }
    const replies = await Promise.all(
      [key, other, key].map(async (pair) => ask(workload, await tokenOf(issuer, pair, { claims }))),
    )
    expect(replies.map(({ status, body }) => [status, body.scope])).toEqual(Array(3).fill([200, 'read:orders']))
    expect(asked).toEqual([
      expect.stringContaining('/.well-known/openid-configuration'),
      expect.stringContaining('/keys'),
    ])
    server.clock.advance(1)
    await ask(workload, await tokenOf(issuer, key, { claims }))
    const { body } = await server.api('GET', `/logs?applicationId=${workload.id}&page_size=1`)
    expect(body[0].payload).toMatchObject({
      result: 'Success',
      federatedCredential: 'deploy',
      workloadIssuer: issuer,
      workloadSubject: SUBJECT,
    })
  })

  test('by keys at an address or pasted ones, its own audience, numbers and booleans, in the application of another client', async () => {
    const issuer = newIssuer(key)
    const workload = await workloadOf(
      { name: 'address', issuer: `${issuer}/away`, jwksUri: `${issuer}/keys`, subject: SUBJECT },
      {
        name: 'cluster',
        issuer: CLUSTER,
        jwks: { keys: [other.jwk] },
        audience: 'countersign',
        claims: [
          { name: 'run', value: '7' },
          { name: 'protected', value: 'true' },
        ],
      },
    )
    expect(await outcome(workload, await tokenOf(`${issuer}/away`, key))).toEqual([200, undefined])
    const claims = { aud: ['countersign'], run: 7, protected: true }
    expect(await outcome(workload, await tokenOf(CLUSTER, other, { claims }))).toEqual([200, undefined])
    expect(await outcome(workload, await tokenOf(CLUSTER, other, { claims: { ...claims, protected: false } }))).toEqual(
      [401, 'invalid_client'],
    )
    const as = { issuer: server.issuer, token_endpoint: `${server.issuer}/token` }
    const token = await tokenOf(`${issuer}/away`, key)
    const auth: oauth.ClientAuth = (_as, { client_id }, body) => {
      for (const [name, value] of Object.entries({
        client_id,
        client_assertion_type: ASSERTION_TYPE,
        client_assertion: token,
      }))
        body.set(name, value)
    }
    const client = { client_id: workload.id }
    const response = await oauth.clientCredentialsGrantRequest(
      as,
      client,
      auth,
      { resource: workload.resource.indicator },
      {
        [oauth.allowInsecureRequests]: true,
      },
    )
    const { access_token } = await oauth.processClientCredentialsResponse(as, client, response)
    expect(access_token).toMatch(/^ey/)
  })

  test('by claims within objects, as those of Kubernetes are', async () => {
    const workload = await workloadOf({
      name: 'pods',
      issuer: CLUSTER,
      jwks: { keys: [key.jwk] },
      claims: [
        { name: '/kubernetes.io/namespace', value: 'shop' },
        { name: '/kubernetes.io/serviceaccount/name', value: 'worker-*' },
      ],
    })
    const presenting = async (namespace: unknown, name: unknown) =>
      outcome(
        workload,
        await tokenOf(CLUSTER, key, { claims: { 'kubernetes.io': { namespace, serviceaccount: { name } } } }),
      )
    expect(await presenting('shop', 'worker-1')).toEqual([200, undefined])
    expect(await presenting('shop', 'web-1')).toEqual([401, 'invalid_client'])
    expect(await audited(workload)).toContain('/kubernetes.io/serviceaccount/name is "web-1", not worker-*')
    for (const namespace of ['bank', ['shop'], { shop: 'shop' }, null, undefined])
      expect(await presenting(namespace, 'worker-1')).toEqual([401, 'invalid_client'])
    const flat = await tokenOf(CLUSTER, key, {
      claims: { 'kubernetes.io': 'shop', '/kubernetes.io/namespace': 'shop' },
    })
    expect(await outcome(workload, flat)).toEqual([401, 'invalid_client'])
  })

  test('R-5 each token once, on whatever node, unless it is reusable; the jti of another issuer is another', async () => {
    const credential = { issuer: CLUSTER, jwks: { keys: [key.jwk] }, subject: SUBJECT }
    const workload = await workloadOf(
      { name: 'once', ...credential },
      { name: 'elsewhere', ...credential, issuer: `${CLUSTER}/2` },
    )
    const once = await tokenOf(CLUSTER, key, { claims: { jti: 'same' } })
    const node = await server.startNode()
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, i) => askWith(i % 2 ? node : server, workload, once, { client_id: workload.id })),
    ).finally(() => node.close())
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(401)])
    expect(await audited(workload)).toContain('once: the token was used before')
    const same = await tokenOf(`${CLUSTER}/2`, key, { claims: { jti: 'same' } })
    expect(await outcome(workload, same)).toEqual([200, undefined])
    const again = await workloadOf({ name: 'pod', ...credential, isReusable: true })
    const pod = await tokenOf(CLUSTER, key, { claims: { jti: undefined } })
    expect([await outcome(again, pod), await outcome(again, pod)]).toEqual(Array(2).fill([200, undefined]))
    server.clock.advance(316)
    expect(await outcome(again, pod)).toEqual([401, 'invalid_client'])
  })

  test('a new key is fetched when it is used, and floods of unknown keys and of other issuers ask nobody', async () => {
    const issuer = newIssuer(key)
    const workload = await workloadOf({ name: 'ci', issuer, subject: SUBJECT })
    expect(await outcome(workload, await tokenOf(issuer, key))).toEqual([200, undefined])
    publish(issuer, other)
    server.clock.advance(30)
    expect(await outcome(workload, await tokenOf(issuer, other))).toEqual([200, undefined])
    expect(asked).toHaveLength(4)
    for (let hostile = 0; hostile < 10; hostile += 1) {
      const token = await tokenOf(issuer, stranger, { header: { kid: `hostile ${hostile}` } })
      expect(await outcome(workload, token)).toEqual([401, 'invalid_client'])
      expect(await outcome(workload, await tokenOf(`${address}/hostile-${hostile}`, stranger))).toEqual([
        401,
        'invalid_client',
      ])
    }
    expect(asked).toHaveLength(4)
  })

  test('an issuer whose metadata is of another, names no keys, or is missing, authenticates nobody', async () => {
    const METADATA = [
      (issuer: string) => ({ issuer: 'https://another.example', jwks_uri: `${issuer}/keys` }),
      (issuer: string) => ({ issuer }),
      (issuer: string) => ({ issuer, jwks_uri: 'file:///etc/passwd' }),
      () => [],
      () => undefined,
    ]
    for (const metadata of METADATA) {
      const issuer = newIssuer(key)
      answers.set(`${new URL(issuer).pathname}/.well-known/openid-configuration`, metadata(issuer))
      const workload = await workloadOf({ name: 'ci', issuer, subject: SUBJECT })
      expect(await outcome(workload, await tokenOf(issuer, key))).toEqual([401, 'invalid_client'])
      expect(await audited(workload)).toContain('the keys of the issuer are not known')
    }
  })
})

describe('a token of a workload is refused, and the log says why', () => {
  let workload: Workload
  beforeAll(async () => {
    workload = await workloadOf({
      name: 'ci',
      issuer: CLUSTER,
      jwks: { keys: [key.jwk] },
      subject: 'repo:octo/*:ref:refs/heads/main',
      claims: [{ name: 'environment', value: 'prod-*' }],
    })
  })
  const environment = 'prod-1'

  test.each<[string, (now: number) => JWTPayload]>([
    ['aud is missing', () => ({ aud: undefined })],
    ['aud is "https://elsewhere.example"', () => ({ aud: 'https://elsewhere.example' })],
    ['aud is ["', () => ({ aud: [server.issuer, 'https://elsewhere.example'] })],
    ['aud is []', () => ({ aud: [] })],
    ['exp is missing', () => ({ exp: undefined })],
    ['exp is ', (now) => ({ exp: now - 15 })],
    ['more than 86400 seconds ahead', (now) => ({ exp: now + 86_402 })],
    ['nbf is ', (now) => ({ nbf: now + 17 })],
    ['iat is ', (now) => ({ iat: now + 17 })],
    ['sub is "repo:octo/shop:ref:refs/heads/dev"', () => ({ sub: 'repo:octo/shop:ref:refs/heads/dev' })],
    ['sub is "repo:octo/a/b', () => ({ sub: 'repo:octo/a/b:ref:refs/heads/main' })],
    ['sub is "repo:Octo/', () => ({ sub: 'repo:Octo/shop:ref:refs/heads/main' })],
    ['environment is missing', () => ({ environment: undefined })],
    ['environment is ["prod-1"]', () => ({ environment: ['prod-1'] })],
    ['environment is "prod', () => ({ environment: 'prod' })],
    ['jti is missing', () => ({ jti: undefined })],
    ['jti is 7', () => ({ jti: 7 as never })],
    [`no federated credential has the issuer "${CLUSTER}/"`, () => ({ iss: `${CLUSTER}/` })],
    ['no federated credential has the issuer missing', () => ({ iss: undefined })],
  ])('%s', async (reason, replaced) => {
    const claims = { environment, ...replaced(nowOf(server)) }
    expect(await outcome(workload, await tokenOf(CLUSTER, key, { claims }))).toEqual([401, 'invalid_client'])
    expect(await audited(workload)).toContain(reason)
  })

  test('with another signature, algorithm or kind', async () => {
    const claims = { environment }
    const spki = await exportSPKI((await importJWK(key.jwk, 'RS256')) as Parameters<typeof exportSPKI>[0])
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const [, body = '', signature = ''] = (await tokenOf(CLUSTER, key, { claims })).split('.')
    const confused = `${encode({ alg: 'HS256', kid: 'one' })}.${body}`
    const tokens = [
      await tokenOf(CLUSTER, stranger, { claims }),
      await tokenOf(CLUSTER, key, { claims: { ...claims, sub: undefined } }),
      await tokenOf(CLUSTER, key, { claims, header: { typ: 'at+jwt' } }),
      await tokenOf(CLUSTER, key, { claims, header: { typ: 'oauth-id-jag+jwt' } }),
      `${encode({ alg: 'none' })}.${body}.`,
      `${encode({ alg: 'RS256', kid: 'one', crit: ['b64'], b64: false })}.${body}.${signature}`,
      `${confused}.${createHmac('sha256', spki).update(confused).digest('base64url')}`,
      `${encode({ alg: 'RS256', kid: 'one' })}.${encode({ ...claims, iss: CLUSTER, sub: 'repo:evil/x' })}.${signature}`,
      await tokenOf(CLUSTER, key, { claims: { ...claims, padding: 'x'.repeat(8192) } }),
    ]
    for (const token of tokens) expect(await outcome(workload, token)).toEqual([401, 'invalid_client'])
    // what is right about them would have been accepted, by this application alone
    const good = await tokenOf(CLUSTER, key, { claims })
    const neighbour = await workloadOf({ name: 'ci', issuer: CLUSTER, jwks: { keys: [other.jwk] }, subject: SUBJECT })
    expect(await outcome(neighbour, good)).toEqual([401, 'invalid_client'])
    expect(await outcome(await workloadOf(), good)).toEqual([401, 'invalid_client'])
    expect((await askWith(server, workload, good)).status).toBe(401)
    expect(await outcome(workload, good)).toEqual([200, undefined])
  })

  test('R-37 whatever is in it, without a 500', async () => {
    const claim = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.constant(null),
      fc.array(fc.string()),
      fc.object(),
      fc.double(),
    )
    const names = fc.constantFrom('iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti', 'environment', '__proto__')
    const changed = fc.dictionary(names, claim, { minKeys: 1, maxKeys: 3 })
    await fc.assert(
      fc.asyncProperty(changed, fc.boolean(), async (claims, isOurs) => {
        const token = await tokenOf(CLUSTER, isOurs ? key : stranger, {
          claims: { ...claims, environment: 'dev' } as JWTPayload,
        })
        expect((await ask(workload, token)).status).toBe(401)
      }),
      { numRuns: 40 },
    )
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: fc.constantFrom('.', 'e', 'y', 'J', '=', '\u0000', '-') }), async (token) => {
        expect((await ask(workload, token)).status).toBeLessThan(500)
      }),
      { numRuns: 40 },
    )
  })
})

describe('what an operator may write down', () => {
  const SOUND: Credential = { name: 'ci', issuer: 'https://ci.example', subject: 'repo:octo/*' }
  const GITHUB = 'https://token.actions.githubusercontent.com'
  const create = async (federatedCredentials: unknown, more = {}, type = 'MachineToMachine') =>
    server.api('POST', '/applications', { name: 'x', type, customClientMetadata: { federatedCredentials, ...more } })

  test.each<[string, object]>([
    ['is http', { issuer: 'http://ci.example' }],
    ['has a query', { issuer: 'https://ci.example?tenant=1' }],
    ['not an absolute URI', { issuer: 'ci' }],
    ['jwksUri and jwks', { jwksUri: 'https://ci.example/keys', jwks: { keys: [{ kty: 'EC' }] } }],
    ['must hold public keys', { jwks: { keys: [{ kty: 'oct', k: 'AA' }] } }],
    ['accepts every workload', { subject: undefined }],
    ['matches everything', { subject: '*' }],
    ['matches everything', { subject: '*:*/*' }],
    ['more than one *', { subject: 'a*b*' }],
    ['more than 4 *', { subject: 'a/*/*/*/*/*' }],
    ['the value of ref matches everything', { claims: [{ name: 'ref', value: '*' }] }],
    ['a rule about aud', { claims: [{ name: 'aud', value: 'x' }] }],
    ['a rule about /sub', { claims: [{ name: '/sub', value: 'x' }] }],
    ['a rule about /aud/0', { claims: [{ name: '/aud/0', value: 'x' }] }],
    ['/a~2 is not a JSON Pointer', { claims: [{ name: '/a~2', value: 'x' }] }],
    [
      'accepts workloads of anyone',
      { issuer: GITHUB, subject: undefined, claims: [{ name: '/x/repository', value: 'octo/shop' }] },
    ],
    ['accepts workloads of anyone', { issuer: GITHUB, subject: 'repo:*/shop:*' }],
    ['accepts workloads of anyone', { issuer: GITHUB, subject: 'repo:octo*/shop:*' }],
    [
      'accepts workloads of anyone',
      { issuer: GITHUB, subject: undefined, claims: [{ name: 'ref', value: 'refs/heads/main' }] },
    ],
    ['accepts workloads of anyone', { issuer: 'https://accounts.google.com', subject: '10*' }],
  ])('refused: %s', async (reason, change) => {
    const { status, body } = await create([{ ...SOUND, ...change }])
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining(reason)])
  })

  test('names are different, public applications have none, nor do those of the profile fapi2', async () => {
    expect((await create([SOUND, SOUND])).status).toBe(400)
    expect((await create([SOUND], {}, 'SPA')).status).toBe(400)
    const fapi = {
      securityProfile: 'fapi2',
      tokenEndpointAuthMethod: 'private_key_jwt',
      jwks: { keys: [(await makeKey('ES256')).jwk] },
    }
    expect(JSON.stringify((await create([SOUND], fapi)).body)).toContain('federatedCredentials must be empty')
    const good = [
      { ...SOUND, issuer: GITHUB, subject: 'repo:octo/*:ref:refs/heads/main' },
      {
        ...SOUND,
        name: 'owner',
        issuer: GITHUB,
        subject: undefined,
        claims: [{ name: 'repository', value: 'octo/*' }],
      },
    ]
    const { status, body } = await create(good)
    expect([status, body.customClientMetadata.federatedCredentials.length]).toEqual([200, 2])
  })

  test('a JSON Pointer leads to the claim that it was made from, and not into arrays or to what objects inherit', () => {
    const part = fc.string({ unit: fc.constantFrom('a', '/', '~', '0', '1', '.') })
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), (path) => {
        const name = path.map((each) => `/${each.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
        const claims = path.reduceRight<unknown>((value, each) => ({ [each]: value }), 'here')
        expect(objectionToClaimName(name)).toBeUndefined()
        expect(claimNamed(claims as Record<string, unknown>, name)).toBe('here')
        expect(claimNamed({ ...(claims as object) }, `${name}/a`)).toBeUndefined()
      }),
    )
    const claims = { list: ['here'], text: 'here', '/literal': 'here' }
    for (const name of [
      '/list/0',
      '/list/length',
      '/text/length',
      '/constructor/name',
      '/__proto__/x',
      '/',
      '/literal',
    ])
      expect(claimNamed(claims, name)).toBeUndefined()
    expect(claimNamed(claims, '/~1literal')).toBe('here')
  })

  test('a pattern means what a regular expression without / and : in its wildcards means', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '/', ':', '*') })
    fc.assert(
      fc.property(text, text, (pattern, value) => {
        fc.pre(objectionToPattern(pattern) === undefined)
        const meant = new RegExp(`^${pattern.replaceAll('*', '[^/:]*')}$`)
        expect(matchesPattern(pattern, value)).toBe(meant.test(value))
      }),
      { numRuns: 2000 },
    )
  })
})

test('introspection takes it too, and a changed rule holds at once', async () => {
  const credential = { name: 'ci', issuer: CLUSTER, jwks: { keys: [key.jwk] }, subject: SUBJECT, isReusable: true }
  const workload = await workloadOf(credential)
  const token = await tokenOf(CLUSTER, key)
  const parameters = { client_id: workload.id, client_assertion_type: ASSERTION_TYPE, client_assertion: token }
  expect((await post(server, '/token/introspection', { token: 'x', ...parameters })).status).toBe(200)
  expect(
    (await post(server, '/token/introspection', { token: 'x', ...parameters, client_assertion: 'x' })).status,
  ).toBe(401)
  expect(await outcome(workload, token)).toEqual([200, undefined])
  await server.client.updateApplication({
    params: { id: workload.id },
    body: { customClientMetadata: { federatedCredentials: [{ ...credential, subject: 'repo:octo/other' }] } },
  })
  expect(await outcome(workload, token)).toEqual([401, 'invalid_client'])
})
