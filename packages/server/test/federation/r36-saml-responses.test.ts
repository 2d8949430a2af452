/**
 * every known attack on SAML responses, against the function that reads them. Pure, with more cases than whole sign-ins could be
 * tested with; saml.test.ts has those.
 */

import { type SamlAnswer, SamlIdentityProvider, wrapped } from '@countersign/harness/saml-identity-provider.ts'
import { FederationFailure } from '@countersign/server/domain/federation/failure.ts'
import type { SamlIdentityProvider as Known } from '@countersign/server/domain/federation/saml/provider.ts'
import { readResponse } from '@countersign/server/domain/federation/saml/response.ts'
import type { CertifiedKey } from '@countersign/server/kernel/certificates.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const NOW = new Date('2026-03-01T12:00:00Z')
const ACS = 'https://us.example/api/authn/single-sign-on/saml/c1'
const AUDIENCE = 'https://us.example/enterprise-sso/c1'
const REQUEST = { id: '_request', acs: ACS, issuer: AUDIENCE, relayState: 'state', xml: '' }

let idp: SamlIdentityProvider
let own: CertifiedKey
let other: CertifiedKey
beforeAll(async () => {
  idp = await new SamlIdentityProvider(() => NOW).start()
  own = await idp.newKey()
  other = await idp.newKey()
})
afterAll(() => idp.close())

const known = (certificates = idp.keys.map(({ certificate }) => certificate)): Known => ({
  entityId: idp.entityId,
  signIn: {},
  signOut: {},
  signOutAnswer: {},
  certificates,
  wantsSignedRequests: false,
})
const read = (xml: string, requestId: string | null = REQUEST.id, party = known()) =>
  readResponse(
    Buffer.from(xml).toString('base64'),
    { entityId: AUDIENCE, acs: ACS, logout: '', keys: { active: own, all: [own] } },
    party,
    {
      now: NOW,
      issuer: party.entityId,
      audience: AUDIENCE,
      recipient: ACS,
      requestId: requestId ?? undefined,
    },
  )
/** The sentence of the failure. */
const failure = async (xml: string, ...rest: [requestId?: string | null, party?: Known]) => {
  const result = await read(xml, ...rest).then(
    ({ nameId }) => `accepted ${nameId}`,
    (error: unknown) => error,
  )
  expect(result).toBeInstanceOf(FederationFailure)
  return (result as FederationFailure).message
}

describe('responses that are right', () => {
  test.each<[string, SamlAnswer | (() => SamlAnswer)]>([
    ['a signed assertion', {}],
    ['a signed response', { signs: 'response' }],
    ['both signed', { signs: 'both' }],
    ['SHA-512', { signatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512' }],
    ['RSASSA-PSS', { signatureAlgorithm: 'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1' }],
    [
      'inclusive canonicalization',
      { signs: 'response', canonicalization: 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315' },
    ],
    ['encrypted', () => ({ encryptedTo: own.certificate })],
    [
      'encrypted with AES-CBC',
      () => ({ encryptedTo: own.certificate, encryptionAlgorithm: 'http://www.w3.org/2001/04/xmlenc#aes256-cbc' }),
    ],
    ['encrypted in a signed response', () => ({ encryptedTo: own.certificate, signs: 'response' })],
    ['an encrypted NameID', () => ({ nameIdEncryptedTo: own.certificate })],
    [
      'an encrypted NameID in an encrypted assertion',
      () => ({ nameIdEncryptedTo: own.certificate, encryptedTo: own.certificate, signs: 'response' }),
    ],
    ['encrypted, both signed', () => ({ encryptedTo: own.certificate, signs: 'both' })],
    ['without a destination', { destination: null }],
    ['a clock that is behind', { notBefore: -400, notOnOrAfter: -30, confirmedUntil: -30 }],
    ['a clock that is ahead', { notBefore: 30, issuedAt: 30 }],
  ])('%s', async (_what, answer) => {
    const said = typeof answer === 'function' ? answer() : answer
    const attributes = { email: 'a@acme.example', groups: ['x', '<y> & z'] }
    const xml = await idp.respond(REQUEST, { nameId: 'u1', attributes, sessionIndex: 's1', ...said })
    const subject = await read(xml)
    expect(subject).toMatchObject({ nameId: 'u1', sessionIndex: 's1' })
    expect(subject.attributes).toEqual(
      new Map([
        ['email', ['a@acme.example']],
        ['groups', ['x', '<y> & z']],
      ]),
    )
  })

  test('without a request, where none was made', async () => {
    expect(await read(await idp.respond(REQUEST, { inResponseTo: null }), null)).toMatchObject({
      nameId: 'someone',
    })
  })

  test('by the next key, when both are published', async () => {
    const xml = await idp.respond(REQUEST, { key: other })
    const certificates = [...known().certificates, other.certificate]
    expect(await read(xml, REQUEST.id, known(certificates))).toMatchObject({ nameId: 'someone' })
  })
})

describe('signature wrapping', () => {
  for (const way of [1, 2, 3, 4, 5, 6, 7, 8])
    for (const sameId of [false, true])
      test(`XSW${way}${sameId ? ' with the same ID' : ''}`, async () => {
        const xml = await idp.respond(REQUEST, { nameId: 'someone', signs: way <= 2 ? 'response' : 'assertion' })
        const attack = wrapped(xml, way, 'admin', sameId)
        expect(attack).toContain('admin')
        expect(await failure(attack)).toMatch(/same ID|exactly one|another one|contains something else|signature/)
      })

  test('an assertion that is signed, beside an encrypted one that is not', async () => {
    const signed = await idp.respond(REQUEST)
    const encrypted = await idp.respond(REQUEST, { nameId: 'admin', signs: 'nothing', encryptedTo: own.certificate })
    const [forged = ''] = /<saml:EncryptedAssertion>.*<\/saml:EncryptedAssertion>/s.exec(encrypted) ?? []
    expect(await failure(signed.replace('<saml:Assertion ', `${forged}<saml:Assertion `))).toMatch(
      /exactly one assertion/,
    )
  })
})

describe('responses that are refused', () => {
  const cases: [what: string, answer: SamlAnswer | (() => SamlAnswer), sentence: RegExp][] = [
    ['unsigned', { signs: 'nothing' }, /neither the assertion nor the response is signed/],
    ['encrypted and unsigned', () => ({ signs: 'nothing', encryptedTo: own.certificate }), /neither .* signed/],
    ['SHA-1', { signatureAlgorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' }, /signature algorithm/],
    ['a digest by SHA-1', { digestAlgorithm: 'http://www.w3.org/2000/09/xmldsig#sha1' }, /digest algorithm/],
    [
      'HMAC with our copy of its certificate',
      { signatureAlgorithm: 'http://www.w3.org/2000/09/xmldsig#hmac-sha1' },
      /signature algorithm/,
    ],
    [
      'canonicalization that keeps comments',
      { canonicalization: 'http://www.w3.org/2001/10/xml-exc-c14n#WithComments' },
      /canonicalization/,
    ],
    ['a key that brings its own certificate', () => ({ key: other }), /not by a key that is trusted/],
    ['encrypted to another key', () => ({ encryptedTo: other.certificate }), /cannot be decrypted/],
    [
      'a NameID encrypted with PKCS #1 v1.5',
      () => ({
        nameIdEncryptedTo: own.certificate,
        keyEncryptionAlgorithm: 'http://www.w3.org/2001/04/xmlenc#rsa-1_5',
      }),
      /algorithm is not accepted/,
    ],
    ['a NameID encrypted to another key', () => ({ nameIdEncryptedTo: other.certificate }), /cannot be decrypted/],
    [
      'another NameID beside the encrypted one',
      () => ({
        nameIdEncryptedTo: own.certificate,
        unsigned: (text: string) => text.replace(/<\/saml:NameID>/, '</saml:NameID><saml:NameID>admin</saml:NameID>'),
      }),
      /besides the one that is encrypted/,
    ],
    [
      'encrypted with PKCS #1 v1.5',
      () => ({ encryptedTo: own.certificate, keyEncryptionAlgorithm: 'http://www.w3.org/2001/04/xmlenc#rsa-1_5' }),
      /encryption algorithm/,
    ],
    ['another audience', { audience: 'https://us.example/enterprise-sso/c2' }, /another audience/],
    ['no audience', { audience: null }, /no audience/],
    ['another recipient', { recipient: 'https://elsewhere.example/acs' }, /another recipient/],
    ['another destination', { destination: 'https://elsewhere.example/acs' }, /another destination/],
    ['no destination in a signed response', { destination: null, signs: 'response' }, /another destination/],
    ['the answer to another request', { inResponseTo: '_other' }, /InResponseTo/],
    ['an assertion for another request', { confirmedInResponseTo: '_other' }, /InResponseTo/],
    ['an assertion for no request', { confirmedInResponseTo: null, inResponseTo: '_request' }, /InResponseTo/],
    ['a response for no request', { inResponseTo: null }, /InResponseTo/],
    ['not valid yet', { notBefore: 120 }, /not valid yet/],
    ['no longer valid', { notOnOrAfter: -120 }, /no longer valid/],
    ['a confirmation that has ended', { confirmedUntil: -120 }, /no longer valid/],
    ['issued in the future', { issuedAt: 120 }, /in the future/],
    ['a session that has ended', { sessionEnds: -120 }, /session .* has ended/],
    ['a holder of a key', { method: 'urn:oasis:names:tc:SAML:2.0:cm:holder-of-key' }, /not confirmed as bearer/],
    ['a sender who vouches', { method: 'urn:oasis:names:tc:SAML:2.0:cm:sender-vouches' }, /not confirmed as bearer/],
    ['another issuer', { issuer: 'https://elsewhere.example' }, /another issuer/],
    ['an assertion of another issuer', { assertionIssuer: 'https://elsewhere.example' }, /another issuer/],
    ['an unknown condition', { conditions: '<x:Only xmlns:x="urn:x"/>' }, /not understood/],
    ['a refusal', { status: 'urn:oasis:names:tc:SAML:2.0:status:Responder' }, /answered Responder/],
    ['no NameID', { unsigned: (text) => text.replace(/<saml:NameID.*<\/saml:NameID>/, '') }, /exactly one NameID/],
    [
      'two NameIDs',
      { unsigned: (text) => text.replace(/(<saml:NameID.*<\/saml:NameID>)/, '$1$1') },
      /exactly one NameID/,
    ],
    ['an empty NameID', { nameId: ' ' }, /NameID is empty/],
    ['elements in the NameID', { unsigned: (text) => text.replace('someone', 'some<saml:x/>one') }, /has elements/],
    [
      'two subjects',
      { unsigned: (text) => text.replace(/(<saml:Subject>.*<\/saml:Subject>)/, '$1$1') },
      /exactly one Subject/,
    ],
    [
      'two conditions',
      { unsigned: (text) => text.replace(/(<saml:Conditions .*<\/saml:Conditions>)/, '$1$1') },
      /exactly one Conditions/,
    ],
    [
      'no confirmation',
      { unsigned: (text) => text.replace(/<saml:SubjectConfirmation .*<\/saml:SubjectConfirmation>/, '') },
      /not confirmed/,
    ],
    [
      'no end of the confirmation',
      { unsigned: (text) => text.replace(/(Recipient="[^"]*") NotOnOrAfter="[^"]*"/, '$1') },
      /NotOnOrAfter/,
    ],
    [
      'a time that is none',
      { unsigned: (text) => text.replace(/NotBefore="[^"]*"/, 'NotBefore="today"') },
      /no instant/,
    ],
    [
      'no authentication',
      { unsigned: (text) => text.replace(/<saml:AuthnStatement .*<\/saml:AuthnStatement>/, '') },
      /authenticated/,
    ],
    ['SAML 1.1', { unsigned: (text) => text.replace('Version="2.0"', 'Version="1.1"') }, /not of SAML 2.0/],
  ]
  test.each(cases)('%s', async (_what, answer, sentence) => {
    expect(await failure(await idp.respond(REQUEST, typeof answer === 'function' ? answer() : answer))).toMatch(
      sentence,
    )
  })

  const edits: [what: string, edit: (xml: string) => string, sentence: RegExp][] = [
    ['a comment in the NameID', (xml) => xml.replace('>someone<', '>some<!---->one<'), /comment/],
    ['another NameID', (xml) => xml.replace('>someone<', '>admin<'), /not by a key that is trusted/],
    ['an external entity', (xml) => `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${xml}`, /document type/],
    [
      'a billion laughs',
      (xml) => `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>${xml.replace('someone', '&b;')}`,
      /document type/,
    ],
    ['10 MB', (xml) => xml.replace('</samlp:Response>', `${' '.repeat(10_000_000)}</samlp:Response>`), /longer/],
    [
      'depth',
      (xml) => xml.replace('</samlp:Response>', `${'<a>'.repeat(5000)}${'</a>'.repeat(5000)}</samlp:Response>`),
      /deeper/,
    ],
    ['a stylesheet', (xml) => `<?xml-stylesheet href="x"?>${xml}`, /processing instruction/],
    [
      'a second assertion',
      (xml) => xml.replace(/(<saml:Assertion .*<\/saml:Assertion>)/s, '$1<saml:Assertion/>'),
      /exactly one assertion/,
    ],
    [
      'an assertion of another namespace',
      (xml) => xml.replace('</samlp:Response>', '<Assertion/></samlp:Response>'),
      /exactly one assertion/,
    ],
    ['no assertion', (xml) => xml.replace(/<saml:Assertion .*<\/saml:Assertion>/s, ''), /exactly one assertion/],
    ['no signature value', (xml) => xml.replace(/(<ds:SignatureValue>).*(<\/ds:SignatureValue>)/, '$1$2'), /signature/],
    ['a request', (xml) => xml.replaceAll('samlp:Response', 'samlp:AuthnRequest'), /no response/],
    ['two issuers', (xml) => xml.replace(/(<saml:Issuer>.*?<\/saml:Issuer>)/, '$1$1'), /more than one issuer/],
    ['no XML', () => 'SAML', /no element/],
  ]
  test.each(edits)('%s', async (_what, edit, sentence) => {
    const xml = await idp.respond(REQUEST)
    const edited = edit(xml)
    expect(edited).not.toBe(xml)
    expect(await failure(edited)).toMatch(sentence)
  })

  test('a comment that cuts a signed address off', async () => {
    const xml = await idp.respond(REQUEST, { nameId: 'admin@acme.example.evil.example' })
    expect(await failure(xml.replace('acme.example.evil', 'acme.example<!---->.evil'))).toMatch(/comment/)
  })

  test('a response that was made for another connector, and one of another identity provider', async () => {
    const elsewhere = { ...REQUEST, acs: `${ACS}2`, issuer: `${AUDIENCE}2` }
    expect(await failure(await idp.respond(elsewhere))).toMatch(/another destination/)
    expect(
      await failure(await idp.respond(REQUEST), REQUEST.id, { ...known(), entityId: 'https://b.example' }),
    ).toMatch(/another issuer/)
    expect(await failure(await idp.respond(REQUEST), REQUEST.id, known([other.certificate]))).toMatch(
      /not by a key that is trusted$/,
    )
  })

  test('an answer to a request where none was made', async () => {
    expect(await failure(await idp.respond(REQUEST), null)).toMatch(/InResponseTo/)
  })

  test('a certificate that has expired is named', async () => {
    const [expired, future] = [await idp.newKey(-1, -10), await idp.newKey(10, 1)]
    const sentence = await failure(
      await idp.respond(REQUEST, { key: expired }),
      REQUEST.id,
      known([expired.certificate, future.certificate]),
    )
    expect(sentence).toMatch(
      /its certificate ([0-9A-F]{2}:){31}[0-9A-F]{2} expired on 2026-02-28T12:00:00.000Z; its certificate .* is not valid before 2026-03-02/,
    )
  })

  test('what is not base64, or not UTF-8', async () => {
    const us = { entityId: AUDIENCE, acs: ACS, logout: '', keys: { active: undefined, all: [] } }
    const awaited = { now: NOW, issuer: '', audience: '', recipient: '', requestId: undefined }
    for (const [value, sentence] of [
      ['<xml>', 'not in base64'],
      ['', 'not in base64'],
      ['//79', 'not in UTF-8'],
    ] as const)
      await expect(readResponse(value, us, known(), awaited)).rejects.toThrow(sentence)
  })
})
