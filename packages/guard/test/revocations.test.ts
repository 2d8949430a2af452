// The revocation feed as a guard reads it: a server over real HTTP that answers what the test says.

import { createHash } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { accessTokenVerifier } from '../src/index.ts'
import { DigestTable } from '../src/revocations/digest-table.ts'
import { type RevocationFeedOptions, revocationFeed } from '../src/revocations/feed.ts'
import { startIssuer } from './issuer.ts'
import { refusedWith } from './refused-with.ts'

interface Asked {
  readonly form: Record<string, string>
  readonly headers: IncomingHttpHeaders
  readonly answer: (page: unknown, status?: number, headers?: Record<string, string>) => void
  readonly response: ServerResponse
}

/** A feed whose answers wait until the test gives them. */
const startFeed = async () => {
  const waiting: Asked[] = []
  const takers: ((asked: Asked) => void)[] = []
  const server = createServer(async (request, response) => {
    const form = Object.fromEntries(new URLSearchParams(Buffer.concat(await request.toArray()).toString()))
    const answer: Asked['answer'] = (page, status = 200, headers = {}) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(typeof page === 'string' ? page : JSON.stringify(page))
    }
    const asked = { form, headers: request.headers, answer, response }
    const taker = takers.shift()
    if (taker) taker(asked)
    else waiting.push(asked)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const next = (): Promise<Asked> => {
    const asked = waiting.shift()
    return asked ? Promise.resolve(asked) : new Promise((resolve) => takers.push(resolve))
  }
  return { issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}/oidc`, next }
}

const NOW = new Date('2030-01-01T00:00:00Z')
const seconds = NOW.getTime() / 1000
const digest = (name: string) => createHash('sha256').update(name).digest().subarray(0, 12)
const ended = (name: string, more: object = {}) => ({
  id: digest(name).toString('base64url'),
  exp: seconds + 3600,
  ...more,
})
const page = (revocations: object[] = [], cursor = 'c1', has_more = false) => ({ revocations, cursor, has_more })
const claims = {
  iss: 'x',
  sub: 'user-1',
  aud: 'y',
  exp: seconds + 600,
  iat: seconds,
  jti: 's.grant-1.token-1',
  client_id: 'client-1',
  sid: 'session-1',
}

const follow = async (changes: Partial<RevocationFeedOptions> = {}) => {
  const feed = await startFeed()
  const errors: string[] = []
  const revocations = revocationFeed(feed.issuer, {
    clientId: 'an API',
    clientSecret: 'p:q%',
    whenSilent: 'refuse',
    now: () => NOW,
    onError: (error) => errors.push((error as Error).message),
    ...changes,
  })
  onTestFinished(() => revocations.close())
  return { ...feed, revocations, errors }
}

describe('a token', () => {
  test.each<[string, object, object, boolean]>([
    ['that was revoked', ended('token:s.grant-1.token-1'), {}, true],
    ['of a grant that ended', ended('grant:grant-1'), {}, true],
    ['that outlives its session, of a grant that ended', ended('grant:grant-1'), { jti: 'g.grant-1.t' }, true],
    ['of a session that ended', ended('session:session-1'), {}, true],
    ['that outlives the session that ended', ended('session:session-1'), { jti: 'g.grant-1.t' }, false],
    ['of a user who was suspended', ended('user:user-1', { iat: seconds }), {}, true],
    ['that the user got later', ended('user:user-1', { iat: seconds - 1 }), {}, false],
    ['of a client that was deleted', ended('client:client-1', { iat: seconds }), {}, true],
    ['of another issuer, with the name of a grant', ended('grant:grant-1'), { jti: 'grant-1' }, false],
    ['of others', ended('grant:grant-2'), {}, false],
    ['when the entry has expired', ended('grant:grant-1', { exp: seconds }), {}, false],
  ])('%s: refused or not', async (_which, entry, changes, isRefused) => {
    const { next, revocations } = await follow()
    const first = await next()
    expect(first.form).toEqual({ wait: '0' })
    first.answer(page([entry]))
    const checked = revocations.check({ ...claims, ...changes })
    if (isRefused) await refusedWith('token_revoked', checked)
    else await checked
  })

  test('is refused by a verifier, with the challenge of an invalid token', async () => {
    const { next, revocations } = await follow()
    const issuer = await startIssuer()
    const verify = accessTokenVerifier({ ...issuer.expected, revocations })
    const token = await issuer.sign()
    const [asked] = await Promise.all([next(), Promise.resolve()])
    asked.answer(page([]))
    expect((await verify(token)).subject).toBe('user-1')
    const waiting = await next()
    expect(waiting.form).toEqual({ wait: '25', after: 'c1' })
    waiting.answer(page([ended('user:user-1', { iat: seconds })], 'c2'))
    await expect.poll(() => verify(token).catch((error) => error.code)).toBe('token_revoked')
  })
})

describe('the feed', () => {
  test('authenticates, reads everything in pages, and the first token waits for it', async () => {
    const { next, revocations } = await follow()
    const checked = revocations.check(claims)
    const first = await next()
    expect(first.headers.authorization).toBe(`Basic ${Buffer.from('an+API:p%3Aq%25').toString('base64')}`)
    expect(revocations.isCurrent).toBe(false)
    first.answer(page([ended('grant:other')], 'c1', true))
    const second = await next()
    expect(second.form).toEqual({ wait: '0', after: 'c1' })
    second.answer(page([ended('grant:grant-1')], 'c2'))
    await refusedWith('token_revoked', checked)
    expect([revocations.size, revocations.isCurrent]).toEqual([2, true])
  })

  test('continues by its cursor after an interruption, and knows then what it missed', async () => {
    const { next, revocations, errors } = await follow()
    ;(await next()).answer(page([], 'c1'))
    ;(await next()).response.destroy()
    const again = await next()
    expect(again.form).toEqual({ wait: '0', after: 'c1' })
    again.answer(page([ended('grant:grant-1')], 'c2'))
    await expect.poll(() => revocations.check(claims).catch((error) => error.code)).toBe('token_revoked')
    expect(errors).toHaveLength(1)
  })

  test('authenticates in another way', async () => {
    const { next } = await follow({
      clientSecret: undefined,
      authenticate: async (form, headers) => {
        form.set('client_assertion', 'a.b.c')
        headers.set('x-trace', '1')
      },
    } as Partial<RevocationFeedOptions>)
    const { form, headers } = await next()
    expect([form, headers['x-trace'], headers.authorization]).toEqual([
      { wait: '0', client_assertion: 'a.b.c' },
      '1',
      undefined,
    ])
  })

  test.each<[string, unknown, number, Record<string, string>, RegExp]>([
    ['refuses', { error: 'unauthorized_client' }, 400, {}, /answered 400/],
    ['fails', 'oops', 500, {}, /answered 500/],
    ['redirects', '', 302, { location: 'https://evil.example/' }, /fetch failed/],
    ['sends no JSON', '<html>', 200, {}, /JSON/],
    ['sends null', 'null', 200, {}, /not one of a revocation feed/],
    ['sends a page without a cursor', { revocations: [], has_more: false }, 200, {}, /not one of a revocation feed/],
    ['sends an endless cursor', page([], 'c'.repeat(513)), 200, {}, /not one of a revocation feed/],
    ['sends too many entries', page(Array(20_001).fill(ended('x'))), 200, {}, /not one of a revocation feed/],
    ['sends too many bytes', ' '.repeat(4 * 1024 * 1024 + 1), 200, {}, /longer than/],
    ['sends a short digest', page([ended('x', { id: 'abc' })]), 200, {}, /malformed/],
    ['sends a time that is none', page([ended('x', { exp: 1e20 })]), 200, {}, /malformed/],
    ['sends a null entry', page([null as never]), 200, {}, /malformed/],
  ])('that %s is asked again, and nothing of it is kept', async (_how, body, status, headers, message) => {
    const { next, revocations, errors } = await follow()
    ;(await next()).answer(body, status, headers)
    const again = await next()
    expect(errors).toEqual([expect.stringMatching(message)])
    expect([revocations.size, again.form]).toEqual([0, { wait: '0' }])
  })

  test('that repeats its cursor for ever is no loop', async () => {
    const { next, errors } = await follow()
    ;(await next()).answer(page([], 'c1', true))
    ;(await next()).answer(page([], 'c1', true))
    await next()
    expect(errors).toEqual(['the feed does not go on'])
  })

  test('with more than fits counts as silent', async () => {
    const { next, revocations, errors } = await follow({ maxEntries: 2, timeoutMs: 2000 })
    ;(await next()).answer(page(['a', 'b', 'c'].map((name) => ended(name))))
    await next()
    expect(errors).toEqual(['more than 2 revocations: maxEntries is too small'])
    await refusedWith('revocations_unavailable', revocations.check(claims))
  })

  test.each(['refuse', 'accept'] as const)('that never answers: whenSilent %s', async (whenSilent) => {
    const { next, revocations } = await follow({ whenSilent, timeoutMs: 100 })
    await next()
    const checked = revocations.check(claims)
    if (whenSilent === 'refuse') await refusedWith('revocations_unavailable', checked)
    else await checked
  })

  test('that falls silent: what is known stays known', async () => {
    const { next, revocations } = await follow({ maxSilenceMs: 2000 })
    ;(await next()).answer(page([ended('grant:grant-1')]))
    await refusedWith('token_revoked', revocations.check(claims))
    await revocations.check({ ...claims, jti: 'other' })
    await expect.poll(() => revocations.isCurrent, { timeout: 5000 }).toBe(false)
    await refusedWith('token_revoked', revocations.check(claims))
    await refusedWith('revocations_unavailable', revocations.check({ ...claims, jti: 'other' }))
  })

  test('is not asked once closed', async () => {
    const { next, revocations, errors } = await follow()
    const { response } = await next()
    const gone = new Promise((resolve) => response.on('close', resolve))
    revocations.close()
    await gone
    expect(errors).toEqual([])
  })
})

test.each<[string, object]>([
  ['an address without TLS', { url: 'http://id.example.com/oidc/revocations' }],
  ['no client', { clientId: '' }],
  ['no secret', { clientSecret: undefined }],
  ['a secret and something else', { authenticate: () => undefined }],
  ['no decision', { whenSilent: undefined }],
  ['a silence of no time', { maxSilenceMs: 0 }],
  ['no room', { maxEntries: 0 }],
  ['no time', { timeoutMs: 1 }],
])('%s is a mistake in the configuration', async (_what, changes) => {
  const good = { clientId: 'a', clientSecret: 'b', whenSilent: 'accept' } as const
  await refusedWith('configuration_invalid', () =>
    revocationFeed('https://id.example.com/oidc', { ...good, ...changes } as RevocationFeedOptions),
  )
})

test('the table holds what a map would', () => {
  const entry = fc.record({
    name: fc.integer({ min: 0, max: 3000 }),
    life: fc.integer({ min: 1, max: 50 }),
    until: fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined }),
  })
  fc.assert(
    fc.property(fc.array(entry, { minLength: 0, maxLength: 4000 }), (entries) => {
      const table = new DigestTable(1_000_000)
      const map = new Map<number, { expiry: number; until: number }>()
      entries.forEach(({ name, life, until = 0xffff_ffff }, now) => {
        const known = map.get(name)
        const [expiry, latest] = [now + life, until]
        map.set(name, { expiry: Math.max(known?.expiry ?? 0, expiry), until: Math.max(known?.until ?? 0, latest) })
        expect(table.add(digest(String(name)), expiry, until, now)).toBe(true)
      })
      for (const [name, { expiry, until }] of map) {
        if (expiry <= entries.length) continue
        expect(table.has(digest(String(name)), until)).toBe(true)
        if (until < 0xffff_ffff) expect(table.has(digest(String(name)), until + 1)).toBe(false)
      }
      expect(table.has(digest('another'), 0)).toBe(false)
    }),
    { numRuns: 20 },
  )
})
