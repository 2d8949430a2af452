import { describe, expect, test } from 'vitest'
import { bearerToken, verifyAccessToken } from '../src/index.ts'
import { bearerRequest, startIssuer } from './issuer.ts'
import { refusedWith } from './refused-with.ts'

describe('the token of a request (RFC 6750 §2.1)', () => {
  test.each(['Bearer abc.def.ghi', 'bearer abc.def.ghi', 'BEARER   abc.def.ghi', '  Bearer abc.def.ghi  '])(
    'is found in %j',
    (value) => {
      expect(bearerToken(bearerRequest(value))).toBe('abc.def.ghi')
    },
  )

  test.each([
    undefined,
    '',
    'Basic dXNlcjpwYXNz',
    'DPoP abc.def.ghi',
    'BearerX abc',
    'Bearer-Token abc',
    'abc.def.ghi',
  ])('is missing in %j', async (value) => {
    await refusedWith('credentials_missing', () => bearerToken(bearerRequest(value)))
  })

  test.each([
    'Bearer',
    'Bearer a b',
    'Bearer\tabc',
    'Bearer, abc',
    'Bearer abc, Bearer def',
    'Bearer abc,Basic def',
    'Bearer "abc"',
    'Bearer a=b',
    'Bearer token=abc',
    'Bearer Bearer abc',
    'Bearer ab%20c',
    'Bearer é',
    'Bearer:abc',
  ])('is malformed in %j', async (value) => {
    await refusedWith('request_invalid', () => bearerToken(bearerRequest(value)))
  })

  test('is refused when there are several headers', async () => {
    const headers = new Headers([
      ['authorization', 'Bearer abc'],
      ['authorization', 'Bearer abc'],
    ])
    await refusedWith('request_invalid', () => bearerToken(new Request('https://api.example.com', { headers })))
  })

  test('is never taken from the query or the body (RFC 6750 §2.2, §2.3)', async () => {
    const issuer = await startIssuer()
    const token = await issuer.sign()
    const body = new URLSearchParams({ access_token: token })
    const request = new Request(`https://api.example.com/orders?access_token=${token}`, { method: 'POST', body })
    await refusedWith('credentials_missing', verifyAccessToken(request, issuer.expected))
  })
})
