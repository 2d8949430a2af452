import { expect, test } from 'vitest'
import { expressGuard } from '../src/adapters/express.ts'
import { dangerouslyAllowHttp, protectedResource } from '../src/index.ts'
import { refusedWith } from './refused-with.ts'

const issuer = 'https://id.example.com/oidc'
const wellKnown = '/.well-known/oauth-protected-resource'

// RFC 9728 section 3.1: a slash after the host goes, a path and a query stay
test.each([
  ['https://api.example.com', `https://api.example.com${wellKnown}`],
  ['https://api.example.com/', `https://api.example.com${wellKnown}`],
  ['https://api.example.com:8443/mcp', `https://api.example.com:8443${wellKnown}/mcp`],
  ['https://api.example.com/a/b/?v=1', `https://api.example.com${wellKnown}/a/b/?v=1`],
  ['http://localhost:3000/mcp', `http://localhost:3000${wellKnown}/mcp`],
])('the document of %s is at %s', (audience, url) => {
  const metadata = protectedResource({ issuer, audience })
  expect(metadata.url).toBe(url)
  expect(JSON.parse(metadata.body)).toEqual({
    resource: audience,
    authorization_servers: [issuer],
    bearer_methods_supported: ['header'],
  })
})

test.each(['urn:example:orders', 'http://api.example.com/orders', 'https://user@api.example.com', 'orders'])(
  'the audience %s has no address for a document',
  async (audience) => {
    await refusedWith('configuration_invalid', () => protectedResource({ issuer, audience }))
    const options = { issuer, audience, protectedResource: {} }
    await refusedWith('configuration_invalid', () => expressGuard(options))
  },
)

test('an address without TLS is allowed by the symbol only', () => {
  const options = { issuer, audience: 'http://orders:3000', [dangerouslyAllowHttp]: true }
  expect(protectedResource(options).url).toBe(`http://orders:3000${wellKnown}`)
})

test('the document says how tokens have to be bound', () => {
  const bound = {
    issuer,
    audience: 'https://api.example.com',
    dpop: { baseUrl: 'https://api.example.com', required: true },
  }
  const { body } = protectedResource({ ...bound, mtls: {} })
  expect(JSON.parse(body)).toMatchObject({
    dpop_signing_alg_values_supported: expect.arrayContaining(['ES256', 'EdDSA']),
    dpop_bound_access_tokens_required: true,
    tls_client_certificate_bound_access_tokens: true,
  })
})

test('what cannot be said is refused when the guard is created', async () => {
  const options = { issuer, audience: 'https://api.example.com' }
  await refusedWith('configuration_invalid', () => protectedResource(options, { scopes: ['a b'] }))
  await refusedWith('configuration_invalid', () => protectedResource(options, { documentation: 'docs' }))
  await refusedWith('configuration_invalid', () => expressGuard(options).metadata())
})
