import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AuthorizationDetail, refusal, requireDetail, verifyAccessToken } from '../src/index.ts'
import { startIssuer } from './issuer.ts'
import { parseChallenge } from './parse-challenge.ts'
import { refusedWith } from './refused-with.ts'

const payment = (creditor: string) => ({ type: 'payment', creditor, locations: ['https://api.example.com/orders'] })
const to =
  (creditor: string) =>
  (detail: AuthorizationDetail): boolean =>
    detail.creditor === creditor

describe('authorization details (RFC 9396)', () => {
  test('are in the verified token as they were signed, and none in a token without them', async () => {
    const issuer = await startIssuer()
    const details = [payment('A'), { type: 'account', actions: ['list'] }]
    const token = await verifyAccessToken(await issuer.sign({ authorization_details: details }), issuer.expected)
    expect(token.authorizationDetails).toEqual(details)
    const plain = await verifyAccessToken(await issuer.sign(), issuer.expected)
    expect(plain.authorizationDetails).toEqual([])
  })

  test.each([null, {}, 'payment', [null], [[]], ['payment'], [{}], [{ type: '' }], [{ type: 1 }], [payment('A'), {}]])(
    '%j is refused with its token',
    async (malformed) => {
      const issuer = await startIssuer()
      const token = await issuer.sign({ authorization_details: malformed })
      await refusedWith('token_claim_invalid', verifyAccessToken(token, issuer.expected))
    },
  )

  test('the first of the type that allows the request is found, with the type of the check', () => {
    interface Payment extends AuthorizationDetail {
      readonly creditor: string
    }
    const isPayment = (detail: AuthorizationDetail): detail is Payment => typeof detail.creditor === 'string'
    const token = { authorizationDetails: [{ type: 'Payment', creditor: 'X' }, payment('A'), payment('B')] }
    const { creditor }: Payment = requireDetail(token, 'payment', isPayment)
    expect(creditor).toBe('A')
    expect(requireDetail(token, 'payment', to('B'))).toBe(token.authorizationDetails[2])
  })

  test('without one the request is answered 403, with nothing of the token', async () => {
    const token = { authorizationDetails: [payment('secret creditor')], scheme: 'DPoP' } as const
    const error = await refusedWith('authorization_detail_missing', () => requireDetail(token, 'payment', to('B')))
    expect(error.cause).toEqual({ type: 'payment', held: ['payment'] })
    const { status, headers, body } = refusal(error)
    expect([status, body.includes('secret')]).toEqual([403, false])
    const { scheme, attributes } = parseChallenge(headers['www-authenticate'] ?? '')
    expect([scheme, attributes.error, attributes.scope]).toEqual(['DPoP', 'insufficient_scope', undefined])
    await refusedWith('configuration_invalid', () => requireDetail(token, '', to('B')))
  })

  test('never one of another type, nor one that the check refuses, whatever a token has', async () => {
    const name = fc.constantFrom('payment', 'Payment', 'payment ', 'toString', '__proto__')
    const detail = fc.record({ type: name, creditor: fc.constantFrom('A', 'B') })
    await fc.assert(
      fc.asyncProperty(fc.array(detail, { maxLength: 4 }), name, async (authorizationDetails, type) => {
        const find = () => requireDetail({ authorizationDetails }, type, to('A'))
        const isThere = authorizationDetails.some((each) => each.type === type && each.creditor === 'A')
        if (isThere) expect(find()).toEqual({ type, creditor: 'A' })
        else await refusedWith('authorization_detail_missing', find)
      }),
    )
  })
})
