/** `/configs/jwt-customizer`: DECISIONS J1, J5. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { withClient } from '@countersign/server/storage/client.ts'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { call, holdFinePermissions, managementToken } from '../management/arrange.ts'
import { authorize, createApi, createRole, redeemCode, signedInUser } from '../sign-in/user-tokens.ts'
import { functionOf } from './arrange.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())

const PATH = '/configs/jwt-customizer'
const script = functionOf('return { a: 1 }')
const tried = (body: object, query = '') =>
  server.api('POST', `${PATH}/test${query}`, { tokenType: 'access-token', token: {}, context: {}, ...body })

describe('a script of each kind', () => {
  test('is set, read, changed and deleted', async () => {
    expect((await server.api('GET', PATH)).body).toEqual([])
    expect((await server.api('GET', `${PATH}/access-token`)).status).toBe(404)
    expect(await server.api('GET', `${PATH}/access-token/versions`)).toMatchObject({ status: 200, body: [] })
    const whole = {
      script,
      environmentVariables: { KEY: 'value' },
      contextSample: { user: { id: 'u' } },
      tokenSample: { aud: 'x' },
      blockIssuanceOnError: false,
      cpuLimit: 500,
    }
    expect(await server.api('PUT', `${PATH}/access-token`, whole)).toMatchObject({ status: 201, body: whole })
    const less = { script, blockIssuanceOnError: true, cpuLimit: 100 }
    expect(await server.api('PUT', `${PATH}/access-token`, { script })).toMatchObject({ status: 200 })
    expect((await server.api('GET', `${PATH}/access-token`)).body).toEqual(less)
    const { body } = await server.api('PATCH', `${PATH}/access-token`, {
      environmentVariables: { A: 'b' },
      cpuLimit: 7,
    })
    expect(body).toEqual({ ...less, environmentVariables: { A: 'b' }, cpuLimit: 7 })
    await server.api('PUT', `${PATH}/client-credentials`, { script })
    expect((await server.api('GET', PATH)).body).toEqual([
      { key: 'jwt.accessToken', value: body },
      { key: 'jwt.clientCredentials', value: less },
    ])
    for (const type of ['access-token', 'client-credentials']) {
      expect((await server.api('DELETE', `${PATH}/${type}`)).status).toBe(204)
      expect((await server.api('DELETE', `${PATH}/${type}`)).status).toBe(404)
      expect((await server.api('PATCH', `${PATH}/${type}`, { cpuLimit: 7 })).status).toBe(404)
    }
  })

  test('keeps the versions of its script, and one of them is restored', async () => {
    const scripts = [1, 2].map((n) => functionOf(`return { n: ${n} }`))
    const versions = `${PATH}/client-credentials/versions`
    const before = (await server.api('GET', versions)).body.length
    for (const each of scripts) await server.api('PUT', `${PATH}/client-credentials`, { script: each, cpuLimit: 9 })
    // the same script is no version
    await server.api('PATCH', `${PATH}/client-credentials`, { script: scripts[1], cpuLimit: 8 })
    const { body } = await server.api('GET', versions)
    expect(body).toHaveLength(before + 2)
    const changedBy = { type: 'application', id: server.credentials.clientId }
    expect(body[0]).toMatchObject({ version: before + 2, changedBy, restoredFrom: null, isCurrent: true })
    expect(body[1]).toMatchObject({ version: before + 1, isCurrent: false })
    const old = `${versions}/${before + 1}`
    expect((await server.api('GET', old)).body).toEqual({ ...body[1], script: scripts[0] })
    expect((await server.api('POST', `${old}/restore`)).body).toEqual({
      ...{ script: scripts[0], blockIssuanceOnError: true, cpuLimit: 8 },
    })
    const restored = (await server.api('GET', versions)).body[0]
    expect(restored).toMatchObject({ version: before + 3, restoredFrom: before + 1, isCurrent: true })
    const { body: log } = await server.api('GET', '/logs?logKey=ManagementApi.restoreJwtCustomizerVersion')
    expect(log[0].payload).toMatchObject({ restoredFrom: before + 1, scriptVersion: before + 3 })
    // they outlive the script, which can be set again from one
    await server.api('DELETE', `${PATH}/client-credentials`)
    expect((await server.api('GET', versions)).body[0]).toMatchObject({ isCurrent: false })
    expect(await server.api('POST', `${old}/restore`)).toMatchObject({ status: 200, body: { script: scripts[0] } })
    await server.api('DELETE', `${PATH}/client-credentials`)
    expect((await server.api('POST', `${versions}/999/restore`)).status).toBe(404)
    // the last fifty are kept
    await server.store.database.pool.query(
      `INSERT INTO jwt_customizer_versions (tenant_id, token_type, version, script, created_at)
       SELECT 'default', 'client-credentials', 100 + n, 'x', now() FROM generate_series(1, 60) n`,
    )
    await server.api('PUT', `${PATH}/client-credentials`, { script })
    const { body: kept } = await server.api('GET', versions)
    expect([kept.length, kept[0].version, kept.at(-1).version]).toEqual([50, 161, 112])
    await server.api('DELETE', `${PATH}/client-credentials`)
  })

  test('has its environment variables sealed in the database', async () => {
    await server.api('PUT', `${PATH}/access-token`, { script, environmentVariables: { KEY: 'very-secret-value' } })
    const rows = await withClient(server.databaseUrl, (client) =>
      client.query(`SELECT *, encode(sealed_environment_variables, 'escape') AS sealed FROM jwt_customizers`),
    )
    expect(rows.rows).toHaveLength(1)
    expect(JSON.stringify(rows.rows)).not.toContain('very-secret-value')
    await server.api('DELETE', `${PATH}/access-token`)
  })

  test.each([
    ['cannot be read', 'function (', /SyntaxError/],
    ['has no such function', 'const claims = () => ({})', /has no function getCustomJwtClaims/],
    ['has something else of that name', 'const getCustomJwtClaims = {}', /has no function/],
    ['never ends', 'for (;;);', /too long/],
  ])('is refused when it %s', async (_what, bad, reason) => {
    const { status, body } = await server.api('PUT', `${PATH}/access-token`, { script: bad })
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'jwt_customizer.general' })
    expect(body.data.reason).toMatch(reason)
    expect((await server.api('GET', PATH)).body).toEqual([])
  })

  test.each([
    ['an empty script', { script: '' }],
    ['a script of more than 64 KiB', { script: `${script}//${'x'.repeat(65_536)}` }],
    ['a script of more than 64 KiB of UTF-8', { script: `${script}//${'\u20ac'.repeat(30_000)}` }],
    ['variables that are not strings', { script, environmentVariables: { A: 1 } }],
    [
      'variables of more than 32 KiB',
      {
        script,
        environmentVariables: Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`V${at}`, 'x'.repeat(4000)])),
      },
    ],
    ['a large sample', { script, contextSample: { text: 'x'.repeat(65_536) } }],
    ['no limit of CPU', { script, cpuLimit: 0 }],
    ['a limit of more than a second', { script, cpuLimit: 1001 }],
  ])('is refused with %s', async (_what, body) => {
    expect(await server.api('PUT', `${PATH}/access-token`, body)).toMatchObject({
      status: 400,
      body: { code: 'guard.invalid_input' },
    })
  })

  test('there are only two kinds', async () => {
    expect((await server.api('PUT', `${PATH}/id-token`, { script })).status).toBe(404)
  })
})

describe('J5: a test', () => {
  test('returns the claims, without those that no script can set', async () => {
    const test = functionOf('return { sub: 1, aud: token.aud, who: context.user.name, env: environmentVariables.A }')
    const { status, body } = await tried({
      script: test,
      token: { aud: 'x' },
      context: { user: { name: 'Ann' } },
      environmentVariables: { A: 'b' },
    })
    expect({ status, body }).toEqual({ status: 200, body: { who: 'Ann', env: 'b' } })
  })

  test('also returns dropped claims, console output and duration on request', async () => {
    const body = `console.log('hello', { a: [1] }, null); console.warn(new Error('w')); console.error(); console.info(Symbol('s'))
      return { sub: 1, a: 1 }`
    const { body: answer } = await tried({ script: functionOf(body) }, '?details=true')
    expect(answer).toEqual({
      claims: { a: 1 },
      dropped: ['sub'],
      droppedClaims: [{ name: 'sub', why: 'registered' }],
      memory: expect.any(Number),
      console: [
        { level: 'info', text: 'hello {"a":[1]} null' },
        { level: 'warn', text: 'Error: w' },
        { level: 'error', text: '' },
        { level: 'info', text: 'Symbol(s)' },
      ],
      cpuTime: expect.any(Number),
    })
  })

  test('console output is cut at 100 lines, at 16 KiB, and each line at 2 KiB', async () => {
    const linesOf = async (body: string): Promise<{ text: string }[]> =>
      (await tried({ script: functionOf(`${body}; return {}`) }, '?details=true')).body.console
    const short = await linesOf('for (let i = 0; i < 500; i += 1) console.log(i)')
    expect(short.map(({ text }) => text)).toEqual(Array.from({ length: 100 }, (_, index) => String(index)))
    const long = await linesOf("for (let i = 0; i < 50; i += 1) console.log('x'.repeat(3000), 'y')")
    expect(long.map(({ text }) => text)).toEqual(Array(8).fill('x'.repeat(2048)))
  })

  test('J3 a result has at most 16 KiB', async () => {
    const sized = (length: number) => tried({ script: functionOf(`return { text: 'x'.repeat(${length}) }`) })
    const longest = 16_384 - '{"text":""}'.length
    expect((await sized(longest)).body.text).toHaveLength(longest)
    expect((await sized(longest + 1)).body.data.failure).toBe('size')
  })

  test('a denial is 403, a failure 422 with the console output before it', async () => {
    const denied = await tried({ script: functionOf("console.log('so'); api.denyAccess('no')") })
    expect(denied).toMatchObject({
      status: 403,
      body: { code: 'jwt_customizer.general', data: { reason: 'access denied: no' } },
    })
    const failed = await tried({ script: functionOf("console.log('so'); throw new Error('broken')") })
    expect(failed).toMatchObject({
      status: 422,
      body: {
        code: 'jwt_customizer.general',
        data: { reason: 'Error: broken', failure: 'threw', console: [{ level: 'info', text: 'so' }] },
      },
    })
  })

  test.each([
    ['syntax', 'function (', /SyntaxError/],
    ['function', 'const claims = 1', 'the script has no function getCustomJwtClaims'],
    [
      'function',
      "Object.defineProperty(globalThis, 'getCustomJwtClaims', { get() { throw new Error('mine') } })",
      'Error: mine',
    ],
    ['threw', functionOf("throw new Error('x'.repeat(5000))"), `Error: ${'x'.repeat(2041)}`],
    ['threw', functionOf("await Promise.reject(new Error('later'))"), 'Error: later'],
    ['time', functionOf('for (;;);'), 'it took too long'],
    ['time', functionOf('for (;;) await 0'), 'it took too long'],
    ['memory', functionOf('new ArrayBuffer(2 ** 30)'), /out of memory/],
    ['pending', functionOf('await new Promise(() => {})'), 'it waits for a promise that nothing will settle'],
    ['result', functionOf('return 1'), 'it is number'],
    ['result', functionOf('return null'), 'it is null'],
    ['result', functionOf('return [1]'), 'it is an array'],
    ['result', functionOf('return { toJSON: () => 7 }'), 'it is 7'],
    ['result', functionOf('return { toJSON: () => undefined }'), 'it has no JSON'],
    ['result', functionOf("return { text: '\\u20ac'.repeat(6000) }"), 'its result is no object, or a large one'],
    ['size', functionOf("return { text: 'x'.repeat(16_400) }"), 'it has more than 16384 characters'],
  ])('says of what kind a failure is: %s, of %.60s', async (kind, of, reason) => {
    const { status, body } = await tried({ script: of })
    expect([status, body.data.failure]).toEqual([422, kind])
    if (reason instanceof RegExp) expect(body.data.reason).toMatch(reason)
    else expect(body.data.reason).toBe(reason)
  })

  test('a denial ends the script; the first one counts, cut at 2 KiB', async () => {
    const reasonOf = async (body: string) => (await tried({ script: functionOf(body) })).body.data
    expect(await reasonOf("console.log('a'); api.denyAccess('no'); console.log('b')")).toMatchObject({
      reason: 'access denied: no',
      console: [{ level: 'info', text: 'a' }],
    })
    const twice = "try { api.denyAccess('first') } catch {} api.denyAccess('second')"
    expect((await reasonOf(twice)).reason).toBe('access denied: first')
    expect((await reasonOf("api.denyAccess('x'.repeat(5000))")).reason).toBe(`access denied: ${'x'.repeat(2048)}`)
    for (const nothing of ['', 'undefined', "''"])
      expect((await reasonOf(`api.denyAccess(${nothing})`)).reason).toBe('access denied: ')
    expect((await reasonOf('api.denyAccess(12)')).reason).toBe('access denied: 12')
  })

  test('stores nothing but an entry in the audit log', async () => {
    server.clock.advance(1)
    await tried({ script: functionOf("throw new Error('x')"), tokenType: 'client-credentials' })
    expect((await server.api('GET', PATH)).body).toEqual([])
    const { body } = await server.api('GET', '/logs?logKey=ManagementApi.testJwtCustomizer&page_size=1')
    expect(body[0].payload).toMatchObject({
      result: 'Error',
      error: 'jwt_customizer.general',
      tokenType: 'client-credentials',
    })
  })

  test('says why a claim was dropped, and how much memory was in use', async () => {
    const explained = async (body: string) => (await tried({ script: functionOf(body) }, '?details=true')).body
    const answer = await explained(
      "return { a: null, b: undefined, c() {}, iss: 'x', d: Symbol('d'), e: { f: undefined }, ['__proto__']: 1 }",
    )
    expect(answer).toMatchObject({ claims: { a: null, e: {} }, dropped: ['iss'] })
    expect(answer.droppedClaims).toEqual([
      { name: '__proto__', why: 'registered' },
      { name: 'b', why: 'json' },
      { name: 'c', why: 'json' },
      { name: 'd', why: 'json' },
      { name: 'iss', why: 'registered' },
    ])
    const large = await explained('globalThis.kept = Array.from({ length: 100_000 }, (_, n) => n); return {}')
    expect(large.memory - answer.memory).toBeGreaterThan(500_000)
    expect(large.memory).toBeLessThan(32 * 1024 * 1024)
    // the engine is as it was before
    expect((await explained('return {}')).memory).toBeLessThan(answer.memory + 100_000)
    const hostile =
      'Object.keys = () => { throw 1 }; Array.prototype.toJSON = () => [1, { a: 1 }]; return { a: 1, sub: 2 }'
    expect(await explained(hostile)).toMatchObject({ claims: { a: 1 }, droppedClaims: [{ name: 'sub' }] })
  })

  test('gets of a real user what the script of their token gets', async () => {
    const api = await createApi(server)
    const known = await signedInUser(server)
    const [userId, applicationId] = [known.user.id, known.app.id]
    const roleIds = [await createRole(server, [api.scopeIds.read])]
    await server.api('POST', `/users/${userId}/roles`, { roleIds })
    const seeing = functionOf('return { token, context: { ...context, interaction: undefined } }')
    await server.api('PUT', `${PATH}/access-token`, { script: seeing })
    const code = await authorize(known, 'read write', [api.indicator])
    const redeemed = await redeemCode(server, known, code, { resource: api.indicator })
    const issued: Record<string, unknown> = decodeJwt(redeemed.body.access_token)
    await server.api('DELETE', `${PATH}/access-token`)
    const subject = { userId, applicationId, resource: api.indicator }
    const about = (of: object, by = script) =>
      server.api('POST', `${PATH}/test?details=true`, { tokenType: 'access-token', script: by, subject: of })
    const { status, body } = await about({ ...subject, scope: 'read write' }, seeing)
    expect(status).toBe(200)
    const ofItsGrant = { jti: expect.any(String), grantId: expect.any(String), iat: expect.any(Number) }
    const { sid: _, sessionUid: _uid, ...token } = issued.token as Record<string, unknown>
    expect(body.token).toEqual({ ...token, ...ofItsGrant })
    expect(body.context).toEqual(issued.context)
    expect(body.claims).toEqual({ token: body.token, context: body.context })
    // by default all that the user may have
    expect((await about(subject)).body.token).toMatchObject({ scope: 'read', aud: api.indicator })
    const refusal = async (of: object, by?: string) => {
      const { status: refused, body: answer } = await about(of, by)
      return [refused, answer.data?.failure]
    }
    expect(await refusal(subject, functionOf("return { a: 'x'.repeat(9000) }"))).toEqual([422, 'size'])
    expect(await refusal({ userId, applicationId, scope: 'openid' })).toEqual([422, 'token'])
    expect(await refusal({ ...subject, organizationId: 'nowhere' })).toEqual([422, 'token'])
    expect(await refusal({ ...subject, userId: 'nobody' })).toEqual([404, undefined])
    expect(await refusal({ ...subject, applicationId: 'nothing' })).toEqual([404, undefined])
    expect(await refusal({ applicationId })).toEqual([400, undefined])
    expect((await server.api('POST', `${PATH}/test`, { tokenType: 'access-token', script })).status).toBe(400)
    // a failure shows what led to it
    server.clock.advance(1)
    const { body: failed } = await about(subject, functionOf("throw new Error('x')"))
    expect(failed.data).toMatchObject({
      failure: 'threw',
      token: { accountId: userId },
      context: { user: { id: userId } },
    })
    const { body: log } = await server.api('GET', '/logs?logKey=ManagementApi.testJwtCustomizer&page_size=1')
    expect(log[0].payload).toMatchObject({ subject: { userId, applicationId } })
    // a machine has no user
    const machine = await server.client.createApplication({ body: { name: 'Machine', type: 'MachineToMachine' } })
    const ofMachine = await server.api('POST', `${PATH}/test?details=true`, {
      ...{ tokenType: 'client-credentials', script: functionOf('return { name: context.application.name }') },
      subject: { applicationId: machine.id, resource: api.indicator },
    })
    expect(ofMachine.body).toMatchObject({ claims: { name: 'Machine' }, token: { kind: 'ClientCredentials' } })
    // what the context shows needs the permission to read it
    await holdFinePermissions(server)
    const asked = async (permissions: string) => {
      const bearer = await managementToken(server, permissions)
      const request = { token: bearer, body: { tokenType: 'access-token', script, subject } }
      return call(server, 'POST', `${PATH}/test`, request)
    }
    expect(await asked('write:jwt-customizer read:users read:roles')).toMatchObject({
      ...{
        status: 403,
        body: { code: 'auth.forbidden', data: { permission: 'read:applications read:organizations' } },
      },
    })
    const all = 'write:jwt-customizer read:users read:roles read:applications read:organizations'
    expect((await asked(all)).status).toBe(200)
  })

  test('R-32 requires the permission to write', async () => {
    await holdFinePermissions(server)
    const body = { tokenType: 'access-token', script, token: {}, context: {} }
    const reader = await managementToken(server, 'read:jwt-customizer')
    expect((await call(server, 'POST', `${PATH}/test`, { token: reader, body })).status).toBe(403)
    const writer = await managementToken(server, 'write:jwt-customizer')
    expect((await call(server, 'POST', `${PATH}/test`, { token: writer, body })).status).toBe(200)
  })
})
