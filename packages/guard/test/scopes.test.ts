import { describe, expect, test } from 'vitest'
import { requireScopes, verifyAccessToken } from '../src/index.ts'
import { startIssuer } from './issuer.ts'
import { refusedWith } from './refused-with.ts'

describe('scopes are compared by exact name (SPEC 2.2, 5.4.5)', () => {
  test.each<[held: string | undefined, required: string[]]>([
    ['read:orders write:orders', ['read:orders']],
    ['write:orders read:orders', ['read:orders', 'write:orders']],
    [' read:orders   write:orders ', ['write:orders']],
    ['read:orders', []],
    [undefined, []],
    ['*', ['*']],
  ])('%j is enough for %j', async (scope, requiredScopes) => {
    const issuer = await startIssuer()
    const verified = await verifyAccessToken(await issuer.sign({ scope }), { ...issuer.expected, requiredScopes })
    expect(verified.subject).toBe('user-1')
  })

  test.each<[held: string | undefined, required: string[]]>([
    ['read', ['read:orders']],
    ['read:', ['read:orders']],
    ['read:order', ['read:orders']],
    ['read:orders:all', ['read:orders']],
    ['read:*', ['read:orders']],
    ['*', ['read:orders']],
    ['all', ['read:orders']],
    ['READ:ORDERS', ['read:orders']],
    ['read:orders', ['read:orders', 'write:orders']],
    ['read:orders,write:orders', ['read:orders']],
    ['read:orders\twrite:orders', ['read:orders']],
    ['read:orders\nwrite:orders', ['write:orders']],
    ['write:orders\u00a0read:orders', ['read:orders']],
    ['', ['read:orders']],
    [undefined, ['read:orders']],
    ['read:orders', ['constructor']],
  ])('%j is not enough for %j', async (scope, requiredScopes) => {
    const issuer = await startIssuer()
    const token = await issuer.sign({ scope })
    const error = await refusedWith('scope_missing', verifyAccessToken(token, { ...issuer.expected, requiredScopes }))
    expect(error.requiredScopes).toEqual(requiredScopes)
  })

  test('the error lists the missing scopes, for the log', async () => {
    const issuer = await startIssuer()
    const token = await verifyAccessToken(await issuer.sign(), issuer.expected)
    const error = await refusedWith('scope_missing', () => requireScopes(token, 'read:orders', 'delete:orders'))
    expect(error.cause).toEqual({ missing: ['delete:orders'], held: ['read:orders', 'write:orders'] })
  })

  test('two names in one string are a mistake of the API, not a scope', async () => {
    const held = { scopes: new Set(['read:orders', 'write:orders']) }
    for (const name of ['read:orders write:orders', '', 'say "hi"', 'back\\slash', 'line\nbreak', 'é']) {
      await refusedWith('configuration_invalid', () => requireScopes(held, name))
    }
  })
})
