// SECURITY.md R-15, R-11 and R-37, in the protected API. Every token here is one that an attacker could send.

import { createHmac } from 'node:crypto'
import { exportSPKI, generateKeyPair, importJWK } from 'jose'
import { describe, expect, test } from 'vitest'
import type { GuardErrorCode } from '../src/index.ts'
import { accessTokenVerifier, verifyAccessToken } from '../src/index.ts'
import { audience, type Issuer, signingKey, startIssuer } from './issuer.ts'
import { refusedWith } from './refused-with.ts'

const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
const verify = (issuer: Issuer, token: string) => verifyAccessToken(token, issuer.expected)

describe('R-15: algorithms', () => {
  test.each(['none', 'None', 'NONE', ''])('alg %j without a signature', async (alg) => {
    const issuer = await startIssuer()
    const unsigned = `${encode({ alg, typ: 'at+jwt', kid: 'first' })}.${encode(issuer.claims)}`
    await refusedWith('token_malformed', verify(issuer, `${unsigned}.`))
    const code = alg === '' ? 'token_malformed' : 'token_algorithm_refused'
    await refusedWith(code, verify(issuer, `${unsigned}.${encode('signature')}`))
  })

  test.each([256, 384, 512])('HS%i with the public key as the secret, in each encoding', async (bits) => {
    const rsa = await signingKey('rsa', 'RS256')
    const issuer = await startIssuer(rsa)
    const publicKey = await importJWK(rsa.jwk, 'RS256', { extractable: true })
    const pem = await exportSPKI(publicKey as CryptoKey)
    const unsigned = `${encode({ alg: `HS${bits}`, typ: 'at+jwt', kid: 'rsa' })}.${encode(issuer.claims)}`
    for (const secret of [pem, pem.trim(), JSON.stringify(rsa.jwk), rsa.jwk.n ?? '']) {
      const signature = createHmac(`sha${bits}`, secret).update(unsigned).digest('base64url')
      await refusedWith('token_algorithm_refused', verify(issuer, `${unsigned}.${signature}`))
    }
  })

  test('a secret in the key set verifies nothing', async () => {
    const issuer = await startIssuer()
    issuer.published.keys.push({ kty: 'oct', k: encode('secret'), kid: 'secret', alg: 'HS256' })
    const unsigned = `${encode({ alg: 'HS256', typ: 'at+jwt', kid: 'secret' })}.${encode(issuer.claims)}`
    const signature = createHmac('sha256', 'secret').update(unsigned).digest('base64url')
    await refusedWith('token_algorithm_refused', verify(issuer, `${unsigned}.${signature}`))
  })

  test.each(['ES512', 'RS512', 'PS384'])('%s, although its key is in the key set', async (alg) => {
    const issuer = await startIssuer(await signingKey('other', alg))
    await refusedWith('token_algorithm_refused', verify(issuer, await issuer.sign()))
  })

  test('an algorithm that does not match the type of the named key', async () => {
    const [ec, rsa] = await Promise.all([signingKey('ec', 'ES256'), signingKey('rsa', 'RS256')])
    const issuer = await startIssuer(ec, rsa)
    const token = await issuer.sign({}, { kid: 'ec' }, rsa)
    await refusedWith('token_key_unknown', verify(issuer, token))
  })

  test('RS256 with a key of 1024 bits', async () => {
    const { publicKey, privateKey } = await crypto.subtle.generateKey(
      { name: 'RSASSA-PKCS1-v1_5', modulusLength: 1024, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' },
      true,
      ['sign', 'verify'],
    )
    const issuer = await startIssuer()
    issuer.published.keys = [{ ...(await crypto.subtle.exportKey('jwk', publicKey)), kid: 'short' }]
    const unsigned = `${encode({ alg: 'RS256', typ: 'at+jwt', kid: 'short' })}.${encode(issuer.claims)}`
    const signature = await crypto.subtle.sign('RSASSA-PKCS1-v1_5', privateKey, Buffer.from(unsigned))
    const token = `${unsigned}.${Buffer.from(signature).toString('base64url')}`
    await refusedWith('token_signature_invalid', verify(issuer, token))
  })
})

describe('R-15: keys', () => {
  test('a key of the attacker under the kid of the issuer', async () => {
    const issuer = await startIssuer()
    const attacker = await signingKey('first')
    await refusedWith('token_signature_invalid', verify(issuer, await issuer.sign({}, {}, attacker)))
  })

  test('a key of the issuer other than the named one', async () => {
    const [one, two] = await Promise.all([signingKey('one'), signingKey('two')])
    const issuer = await startIssuer(one, two)
    await refusedWith('token_signature_invalid', verify(issuer, await issuer.sign({}, { kid: 'one' }, two)))
  })

  test.each(['unknown', '', '../first', "' OR 1=1 --", '__proto__', 0, null, ['first'], { kid: 'first' }])(
    'kid %j',
    async (kid) => {
      const issuer = await startIssuer()
      const header = encode({ alg: 'ES256', typ: 'at+jwt', kid })
      const [, payload, signature] = (await issuer.sign()).split('.')
      await refusedWith('token_key_unknown', verify(issuer, `${header}.${payload}.${signature}`))
    },
  )

  test('no kid, when several keys match', async () => {
    const issuer = await startIssuer(await signingKey('one'), await signingKey('two'))
    await refusedWith('token_key_unknown', verify(issuer, await issuer.sign({}, { kid: undefined })))
  })

  test('a key published for encryption', async () => {
    const key = await signingKey('enc')
    key.jwk.use = 'enc'
    const issuer = await startIssuer(key)
    await refusedWith('token_key_unknown', verify(issuer, await issuer.sign()))
  })
})

describe('R-15: header parameters', () => {
  test('a key in the header is not used, and leads to refusal', async () => {
    const issuer = await startIssuer()
    const attacker = await signingKey('first')
    const { kid: _kid, ...jwk } = attacker.jwk
    const token = await issuer.sign({}, { jwk, kid: undefined }, attacker)
    await refusedWith('token_header_refused', verify(issuer, token))
  })

  test.each<Record<string, unknown>>([
    { x5c: ['MIIB'] },
    { x5u: 'https://attacker.example/cert' },
    { jku: 'https://attacker.example/jwks' },
    { jwk: null },
  ])('%j, even under a good signature', async (header) => {
    const issuer = await startIssuer()
    await refusedWith('token_header_refused', verify(issuer, await issuer.sign({}, header)))
  })

  test('jku and x5u are never fetched', async () => {
    const issuer = await startIssuer()
    const attacker = await startIssuer()
    const header = { jku: `${attacker.issuer}/jwks`, x5u: `${attacker.issuer}/jwks`, kid: 'first' }
    await refusedWith('token_header_refused', verify(issuer, await issuer.sign({}, header, attacker.key)))
    expect(attacker.requests).toEqual([])
  })

  test.each<[crit: unknown, code: GuardErrorCode]>([
    [['exp'], 'token_header_refused'],
    [['https://example.com/extension'], 'token_header_refused'],
    [['b64'], 'token_header_refused'],
    [[], 'token_malformed'],
    ['exp', 'token_malformed'],
    [null, 'token_malformed'],
  ])('crit %j (RFC 7515 §4.1.11)', async (crit, code) => {
    const issuer = await startIssuer()
    const [, payload, signature] = (await issuer.sign()).split('.')
    const header = encode({ alg: 'ES256', typ: 'at+jwt', kid: 'first', crit, b64: true })
    await refusedWith(code, verify(issuer, `${header}.${payload}.${signature}`))
  })

  test.each([
    'JWT',
    'jwt',
    'at',
    'at+jwt+x',
    'id+jwt',
    'logout+jwt',
    'application/jwt',
    'text/at+jwt',
    '',
    undefined,
    7,
  ])('R-11: typ %j: an ID token, a logout token, anything else', async (typ) => {
    const issuer = await startIssuer()
    await refusedWith('token_type_refused', verify(issuer, await issuer.sign({}, { typ } as Record<string, unknown>)))
  })
})

describe('R-37: form', () => {
  test('any number of segments other than three', async () => {
    const issuer = await startIssuer()
    const token = await issuer.sign()
    const [header = '', payload = '', signature = ''] = token.split('.')
    const wrong = [
      header,
      `${header}.${payload}`,
      `${token}.${signature}`,
      `${token}.${signature}.${signature}`,
      `.${token}`,
      `${token}.`,
      `${header}..${signature}`,
      `.${payload}.${signature}`,
      '..',
      '',
    ]
    for (const text of wrong) await refusedWith('token_malformed', verify(issuer, text))
  })

  test('every lenient encoding of the signature', async () => {
    const issuer = await startIssuer()
    const token = await issuer.sign()
    // 64 bytes are 86 characters; four bits of the last one are not read by a lenient decoder.
    const last = token.at(-1) ?? ''
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const sameBits = [...alphabet].filter((c) => alphabet.indexOf(c) >> 4 === alphabet.indexOf(last) >> 4 && c !== last)
    expect(sameBits).toHaveLength(15)
    const spellings = sameBits.map((character) => token.slice(0, -1) + character)
    for (const end of ['=', '==', '====', ' ', '\n', '\t', '\0', '%3D', '#']) spellings.push(token + end)
    spellings.push(` ${token}`, token.replace('.', ' .'), token.replace('.', '.\n'), `"${token}"`, `Bearer ${token}`)
    for (const text of spellings) await refusedWith('token_malformed', verify(issuer, text))
  })

  test('the standard base64 alphabet', async () => {
    const issuer = await startIssuer()
    const claims = { ...issuer.claims, mark: '???>>>~~~' }
    const payload = Buffer.from(JSON.stringify(claims)).toString('base64').replace(/=+$/, '')
    expect(payload).toMatch(/[+/]/)
    const [header, , signature] = (await issuer.sign()).split('.')
    await refusedWith('token_malformed', verify(issuer, `${header}.${payload}.${signature}`))
  })

  test('a token that is longer than 16 KiB, whatever its signature', async () => {
    const issuer = await startIssuer()
    const sized = (length: number) => issuer.sign({ padding: 'x'.repeat(length) })
    expect((await verify(issuer, await sized(11_000))).subject).toBe('user-1')
    await refusedWith('token_malformed', verify(issuer, await sized(13_000)))
  })

  test('headers and payloads that are not JSON objects', async () => {
    const issuer = await startIssuer()
    const { privateKey } = issuer.key
    const good = encode({ alg: 'ES256', typ: 'at+jwt', kid: 'first' })
    const texts = ['', 'null', '[]', '"text"', '1', '{', '{"alg"', '{}}', '\ufeff{}']
    for (const text of texts) {
      const inHeader = `${encode(text || ' ')}.${encode(issuer.claims)}.${encode('signature')}`
      await refusedWith('token_malformed', verify(issuer, inHeader))
      const unsigned = `${good}.${encode(text || ' ')}`
      const algorithm = { name: 'ECDSA', hash: 'SHA-256' }
      const signature = await crypto.subtle.sign(algorithm, privateKey, Buffer.from(unsigned))
      const code = text === '\ufeff{}' ? 'token_claim_invalid' : 'token_malformed'
      await refusedWith(code, verify(issuer, `${unsigned}.${Buffer.from(signature).toString('base64url')}`))
    }
  })
})

describe('claims with a valid signature', () => {
  test.each(['https://api.example.com', 'https://api.example.com/orders/', 'https://API.example.com/orders', '*'])(
    'the audience %s is another one',
    async (aud) => {
      const issuer = await startIssuer()
      await refusedWith('token_audience_mismatch', verify(issuer, await issuer.sign({ aud })))
    },
  )

  test('a list of audiences is accepted only if it contains just this API', async () => {
    const issuer = await startIssuer()
    expect((await verify(issuer, await issuer.sign({ aud: [audience] }))).subject).toBe('user-1')
    const others = [
      [audience, 'https://other.example'],
      ['https://other.example', audience],
      [audience, audience],
    ]
    for (const aud of [...others, ['https://other.example']]) {
      await refusedWith('token_audience_mismatch', verify(issuer, await issuer.sign({ aud })))
    }
  })

  test('another issuer, and another spelling of the issuer', async () => {
    const issuer = await startIssuer()
    const { issuer: name } = issuer
    for (const iss of ['https://attacker.example', `${name}/`, name.toUpperCase(), name.slice(0, -1), [name], 7]) {
      await refusedWith('token_issuer_mismatch', verify(issuer, await issuer.sign({ iss })))
    }
  })

  test('a token of another issuer that this process also knows', async () => {
    const [one, two] = [await startIssuer(), await startIssuer()]
    expect((await verify(one, await one.sign())).subject).toBe('user-1')
    expect((await verify(two, await two.sign())).subject).toBe('user-1')
    await refusedWith('token_signature_invalid', verify(one, await two.sign()))
    await refusedWith('token_signature_invalid', verify(one, await two.sign({ iss: one.issuer })))
  })

  test.each(['iss', 'sub', 'aud', 'exp', 'iat', 'jti', 'client_id'])('RFC 9068 §2.2 requires %s', async (claim) => {
    const issuer = await startIssuer()
    await refusedWith('token_claim_invalid', verify(issuer, await issuer.sign({ [claim]: undefined })))
  })

  test.each<[claim: string, value: unknown]>([
    ['sub', ''],
    ['sub', 7],
    ['sub', null],
    ['sub', ['user-1']],
    ['aud', []],
    ['aud', ''],
    ['aud', { 0: audience }],
    ['aud', [audience, 7]],
    ['exp', '2000000000'],
    ['exp', null],
    ['iat', '1'],
    ['nbf', 'now'],
    ['jti', ''],
    ['client_id', {}],
    ['scope', ['read:orders']],
    ['scope', null],
    ['act', 'support-1'],
    ['act', null],
    ['act', {}],
    ['act', { sub: '' }],
    ['act', { sub: 'support-1', act: { client_id: 'x' } }],
    ['organization_id', ''],
    ['organization_id', ['org-1']],
  ])('%s is %j', async (claim, value) => {
    const issuer = await startIssuer()
    await refusedWith('token_claim_invalid', verify(issuer, await issuer.sign({ [claim]: value })))
  })

  test('a number that JSON parses as infinity does not give a token an infinite lifetime', async () => {
    const issuer = await startIssuer()
    const payload = JSON.stringify(issuer.claims).replace(/"exp":\d+/, '"exp":1e999')
    expect(JSON.parse(payload).exp).toBe(Number.POSITIVE_INFINITY)
    const unsigned = `${encode({ alg: 'ES256', typ: 'at+jwt', kid: 'first' })}.${encode(payload)}`
    const algorithm = { name: 'ECDSA', hash: 'SHA-256' }
    const signature = await crypto.subtle.sign(algorithm, issuer.key.privateKey, Buffer.from(unsigned))
    const token = `${unsigned}.${Buffer.from(signature).toString('base64url')}`
    await refusedWith('token_claim_invalid', verify(issuer, token))
  })

  test('claims named like properties of objects are ordinary claims', async () => {
    const issuer = await startIssuer()
    const payload = JSON.stringify(issuer.claims).replace(
      '{',
      '{"__proto__":{"organization_id":"org-1","act":{"sub":"x"}},',
    )
    const unsigned = `${encode({ alg: 'ES256', typ: 'at+jwt', kid: 'first' })}.${encode(payload)}`
    const algorithm = { name: 'ECDSA', hash: 'SHA-256' }
    const signature = await crypto.subtle.sign(algorithm, issuer.key.privateKey, Buffer.from(unsigned))
    const verified = await verify(issuer, `${unsigned}.${Buffer.from(signature).toString('base64url')}`)
    expect(verified.organizationId).toBeUndefined()
    expect(verified.actor).toBeUndefined()
  })
})

test('a custom key source cannot make a key verify what it is not intended for', async () => {
  const issuer = await startIssuer()
  const { publicKey } = await generateKeyPair('RS256')
  const verify = accessTokenVerifier({ ...issuer.expected, keys: async () => publicKey })
  await refusedWith('token_signature_invalid', verify(await issuer.sign()))
})
