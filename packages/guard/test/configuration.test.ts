import { describe, expect, test } from 'vitest'
import { accessTokenVerifier, localKeys, remoteKeys, verifyAccessToken } from '../src/index.ts'
import { refusedWith } from './refused-with.ts'

const good = { issuer: 'https://id.example.com/oidc', audience: 'https://api.example.com/orders' }
const keys = localKeys({ keys: [] })

describe('an issuer', () => {
  test.each([
    'https://id.example.com',
    'https://id.example.com/oidc',
    'http://localhost:3001/oidc',
    'http://tenant.localhost:3001/oidc',
    'http://127.0.0.1:3001/oidc',
    'http://127.1.2.3/oidc',
    'http://[::1]:3001/oidc',
  ])('may be %s', (issuer) => {
    expect(accessTokenVerifier({ ...good, issuer })).toBeTypeOf('function')
  })

  test.each([
    '',
    'id.example.com',
    '/oidc',
    'http://id.example.com/oidc',
    'http://localhost.example.com/oidc',
    'http://notlocalhost/oidc',
    'http://127.0.0.1.example.com/oidc',
    'http://10.0.0.1/oidc',
    'http://0.0.0.0/oidc',
    'http://localhost@id.example.com/oidc',
    'https://user:password@id.example.com/oidc',
    'https://id.example.com/oidc?tenant=1',
    'https://id.example.com/oidc#x',
    'https://id.example.com/oidc#',
    'ftp://id.example.com/oidc',
    'javascript:alert(1)',
    'urn:issuer',
  ])('may not be %j', async (issuer) => {
    await refusedWith('configuration_invalid', () => accessTokenVerifier({ ...good, issuer }))
    await refusedWith('configuration_invalid', () => remoteKeys(issuer))
  })
})

test.each<Record<string, unknown>>([
  { audience: '' },
  { audience: undefined },
  { audience: ['https://api.example.com/orders'] },
  { issuer: undefined },
  { requiredScopes: ['read:orders write:orders'] },
  { requiredScopes: [''] },
  { clientIds: [] },
  { clockToleranceSeconds: -1 },
  { clockToleranceSeconds: 301 },
  { clockToleranceSeconds: Number.NaN },
  { clockToleranceSeconds: Number.POSITIVE_INFINITY },
  { clockToleranceSeconds: '1 year' },
  { timeoutMs: 0 },
  { timeoutMs: 1.5 },
  { timeoutMs: 60_001 },
  { cooldownMs: -1 },
  { cooldownMs: Number.POSITIVE_INFINITY },
  { cacheMaxAgeMs: Number.POSITIVE_INFINITY },
  { cacheMaxAgeMs: 86_400_001 },
  { cacheMaxAgeMs: Number.NaN },
  { jwksUri: 'http://id.example.com/jwks' },
  { jwksUri: 'jwks' },
  { jwks: {} },
  { jwks: { keys: 'none' } },
  { jwks: null },
  { jwks: { keys: [] }, jwksUri: 'https://id.example.com/jwks' },
  { jwks: { keys: [] }, keys },
  { jwksUri: 'https://id.example.com/jwks', keys },
])('the options %j are refused before any token comes', async (wrong) => {
  const options = { ...good, ...wrong } as typeof good
  await refusedWith('configuration_invalid', () => accessTokenVerifier(options))
  await refusedWith('configuration_invalid', verifyAccessToken('token', options))
})

test('a clock that returns no valid time is refused', async () => {
  const verify = accessTokenVerifier({ ...good, keys, now: () => new Date('tomorrow') })
  await refusedWith('configuration_invalid', verify('e30.e30.AAAA'))
})
