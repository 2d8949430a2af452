import { generateKeyPairSync } from 'node:crypto'
import { decodeJwt } from 'jose'
import * as oauth from 'oauth4webapi'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Arranged, arrange, authorization, type BodyOf, post, type Reply } from '../protocol/arrange.ts'
import {
  authority,
  CLIENT_AUTH,
  certify,
  GeneralName,
  type Identity,
  jwkOf,
  KeyUsageFlags,
  names,
  purposes,
  SERVER_AUTH,
  unknownExtension,
  usage,
} from './certificates.ts'
import { fetchWith, type Presented, securePost, startTlsServer, type TlsServer } from './tls.ts'

type Metadata = NonNullable<BodyOf<'createApplication'>['customClientMetadata']>

const SUBJECT = [
  ['C', 'DE'],
  ['O', 'Example, Inc.'],
  ['CN', 'Worker'],
] as const
const DN = 'CN=Worker,O=Example\\, Inc.,C=DE'

let server: TlsServer
let root: Identity
let other: Identity
let machine: Arranged
beforeAll(async () => {
  server = await startTlsServer(inject('cluster'))
  root = certify({ subject: [['CN', 'Root']], extensions: authority() })
  other = certify({ subject: [['CN', 'Root']], extensions: authority() })
  machine = await registered()
})
afterAll(() => server.close())

const certified = (
  metadata: Metadata = { tlsClientAuthSubjectDn: DN },
  cas: readonly Identity[] = [root],
): Metadata => ({
  tokenEndpointAuthMethod: 'tls_client_auth',
  tlsClientAuthCertificates: cas.map(({ pem }) => pem),
  ...metadata,
})
const registered = (metadata?: Metadata, cas?: readonly Identity[]) =>
  arrange(server, { metadata: certified(metadata, cas) })
const leaf = (more: Parameters<typeof certify>[0] = {}): Identity =>
  certify({ subject: SUBJECT, issuer: root, ...more })

const ask = ({ client: { clientId }, resource }: Arranged, presented: Presented | undefined): Promise<Reply> => {
  // so that the last entry of the audit log is the last
  server.clock.advance(1)
  return securePost(server, '/token', presented, {
    ...{ grant_type: 'client_credentials', client_id: clientId, resource: resource.indicator },
    scope: 'read:orders',
  })
}
const outcome = ({ status, body }: Reply) => (status === 200 ? 'a token' : `${status} ${body.error}`)
const REFUSED = '401 invalid_client'
/** The reason in the audit log of the last refusal. */
const reasonOf = async ({ client: { clientId } }: Arranged): Promise<string> => {
  await server.store.audit.flush()
  const { body } = await server.api('GET', '/logs?page_size=20')
  const entry = body.find(({ payload }: { payload: { reason?: string } }) => payload.reason?.includes(clientId))
  return entry?.payload.reason ?? ''
}

describe('tls_client_auth (RFC 8705 section 2.1)', () => {
  test('by the subject: a certificate of the CA, at every endpoint, and no other client of that CA', async () => {
    const own = leaf({ extensions: [purposes(CLIENT_AUTH), usage(KeyUsageFlags.digitalSignature)] })
    const answered = await ask(machine, { own })
    expect(outcome(answered)).toBe('a token')
    // the certificate authenticates; it binds nothing unless the application says so
    expect([answered.body.token_type, decodeJwt(answered.body.access_token).cnf]).toEqual(['Bearer', undefined])
    // renewed, with another key
    expect(outcome(await ask(machine, { own: leaf() }))).toBe('a token')
    const token = answered.body.access_token
    const client_id = machine.client.clientId
    const introspected = await securePost(server, '/token/introspection', { own }, { client_id, token })
    expect([introspected.status, introspected.body.active]).toEqual([200, true])
    expect((await securePost(server, '/token/revocation', { own }, { client_id, token })).status).toBe(200)
    expect(outcome(await ask(machine, { own: leaf({ subject: [...SUBJECT.slice(0, 2), ['CN', 'Other']] }) }))).toBe(
      REFUSED,
    )
    expect(await reasonOf(machine)).toMatch(/does not have the name .* CN=Other,O=Example\\, Inc\.,C=DE/)
    // in another order it is another name
    expect(outcome(await ask(machine, { own: leaf({ subject: SUBJECT.toReversed() }) }))).toBe(REFUSED)
    expect(
      outcome(
        await ask(machine, {
          own: leaf({
            subject: [
              ['C', 'de'],
              ['O', 'example,  INC.'],
              ['CN', 'worker '],
            ],
          }),
        }),
      ),
    ).toBe('a token')
  })

  test('needs the certificate: nothing, a secret, the plain port with or without a header', async () => {
    const { client: credentials, resource } = machine
    expect(outcome(await ask(machine, undefined))).toBe(REFUSED)
    const parameters = { grant_type: 'client_credentials', resource: resource.indicator }
    const { own } = { own: leaf() }
    expect(outcome(await securePost(server, '/token', { own }, parameters, authorization(credentials)))).toBe(REFUSED)
    expect(outcome(await securePost(server, '/token', { own }, parameters))).toBe(REFUSED)
    for (const headers of [{}, { 'client-cert': `:${own.der.toString('base64')}:` }] as Record<string, string>[])
      expect(outcome(await post(server, '/token', { ...parameters, client_id: credentials.clientId }, headers))).toBe(
        REFUSED,
      )
    // and a certificate is no substitute for the secret of another application
    const secret = await arrange(server)
    expect(outcome(await ask(secret, { own }))).toBe(REFUSED)
  })

  test('the certificate: which CA, when, what for, with what key', async () => {
    const now = server.clock.now().getTime()
    const [past, future] = [new Date(now - 3_600_000), new Date(now + 3_600_000)]
    const certifier = leaf()
    const wrong: [name: string, presented: Presented, reason: RegExp][] = [
      ['another CA of the same name', { own: leaf({ issuer: other }), chain: [other] }, /no CA of the application/],
      ['itself', { own: certify({ subject: SUBJECT }) }, /no CA of the application/],
      ['expired', { own: leaf({ until: past }) }, /has expired/],
      ['not yet valid', { own: leaf({ from: future }) }, /not valid before/],
      ['for servers', { own: leaf({ extensions: [purposes(SERVER_AUTH)] }) }, /extended key usage/],
      ['not for signatures', { own: leaf({ extensions: [usage(KeyUsageFlags.keyAgreement)] }) }, /key usage/],
      ['with what no one understands', { own: leaf({ extensions: [unknownExtension()] }) }, /critical extension/],
      [
        'twice the same extension',
        { own: leaf({ extensions: [purposes(CLIENT_AUTH), purposes(CLIENT_AUTH)] }) },
        /cannot be read|twice/,
      ],
      [
        'a short key',
        { own: leaf({ keys: generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey }) },
        /shorter than 2048/,
      ],
      [
        'a curve of its own',
        { own: leaf({ keys: generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).privateKey }) },
        // not even offered by this client
        /curve|no client certificate/,
      ],
      ['SHA-1', { own: leaf({ digest: 'sha1' }) }, /no CA of the application/],
      [
        'a client that certifies',
        { own: leaf({ issuer: certifier }), chain: [certifier] },
        /not the certificate of a CA/,
      ],
    ]
    for (const [name, presented, reason] of wrong) {
      // OpenSSL refuses some of them when the client makes its connection
      const answered = await ask(machine, presented).then(outcome, () => 'no connection')
      if (answered === 'no connection') expect(['a short key'], name).toContain(name)
      else {
        expect(answered, name).toBe(REFUSED)
        expect(await reasonOf(machine), name).toMatch(reason)
      }
    }
  })

  test('through CAs between: sent along, in any order, and only those that may be', async () => {
    const between = (more: Parameters<typeof certify>[0] = {}) =>
      certify({ subject: [['CN', 'Between']], issuer: root, extensions: authority(0), ...more })
    const ca = between()
    const own = leaf({ issuer: ca })
    expect(outcome(await ask(machine, { own, chain: [ca] }))).toBe('a token')
    const fresh = leaf({ issuer: ca })
    expect(outcome(await ask(machine, { own: fresh }))).toBe(REFUSED)
    const direct = await registered({ tlsClientAuthSubjectDn: DN }, [other, ca])
    expect(outcome(await ask(direct, { own: fresh }))).toBe('a token')
    const past = new Date(server.clock.now().getTime() - 3_600_000)
    const below = certify({ subject: [['CN', 'Below']], issuer: ca, extensions: authority() })
    const wrong: Presented[] = [
      ...[
        between({ extensions: [] }),
        between({ until: past }),
        between({ extensions: [...authority(), purposes(SERVER_AUTH)] }),
      ].map((each) => ({ own: leaf({ issuer: each }), chain: [each] })),
      // pathLenConstraint 0: no further CA
      { own: leaf({ issuer: below }), chain: [below, ca] },
      { own, chain: Array<Identity>(12).fill(ca) },
    ]
    const answers = []
    for (const each of wrong) answers.push(outcome(await ask(machine, each)))
    expect(answers).toEqual([REFUSED, REFUSED, REFUSED, REFUSED, '400 invalid_request'])
    // a path that was found is not remembered beyond its time
    const soon = new Date(server.clock.now().getTime() + 60_000)
    const short = between({ until: soon })
    const brief = leaf({ issuer: short })
    expect(outcome(await ask(machine, { own: brief, chain: [short] }))).toBe('a token')
    server.clock.advance(61)
    expect(outcome(await ask(machine, { own: brief, chain: [short] }))).toBe(REFUSED)
  })

  test('by an alternative name: one of several, exactly', async () => {
    const extensions = [
      names(
        ...['a.example', 'b.example', '*.c.example'].map((dNSName) => new GeneralName({ dNSName })),
        ...['spiffe://example/worker', 'https://b.example/'].map(
          (uniformResourceIdentifier) => new GeneralName({ uniformResourceIdentifier }),
        ),
        ...['10.0.0.1', '2001:db8::1'].map((iPAddress) => new GeneralName({ iPAddress })),
        new GeneralName({ rfc822Name: 'Worker@Example.com' }),
      ),
    ]
    const own = leaf({ extensions })
    const cases: [metadata: Metadata, is: boolean][] = [
      [{ tlsClientAuthSanDns: 'B.example' }, true],
      [{ tlsClientAuthSanDns: 'x.c.example' }, false],
      [{ tlsClientAuthSanUri: 'spiffe://example/worker' }, true],
      [{ tlsClientAuthSanUri: 'spiffe://example/' }, false],
      [{ tlsClientAuthSanIp: '10.0.0.1' }, true],
      [{ tlsClientAuthSanIp: '2001:0DB8:0:0::1' }, true],
      [{ tlsClientAuthSanIp: '10.0.0.10' }, false],
      [{ tlsClientAuthSanEmail: 'Worker@EXAMPLE.com' }, true],
      [{ tlsClientAuthSanEmail: 'worker@example.com' }, false],
    ]
    for (const [metadata, is] of cases)
      expect([metadata, outcome(await ask(await registered(metadata), { own }))]).toEqual([
        metadata,
        is ? 'a token' : REFUSED,
      ])
  })

  test('what cannot be registered, and why', async () => {
    const wrong: [metadata: Metadata, member: string][] = [
      [{}, 'tlsClientAuthSubjectDn'],
      [{ tlsClientAuthSubjectDn: DN, tlsClientAuthSanDns: 'a.example' }, 'tlsClientAuthSanDns'],
      [{ tlsClientAuthSubjectDn: 'Worker' }, 'tlsClientAuthSubjectDn'],
      [{ tlsClientAuthSubjectDn: 'CN=a,Nothing=b' }, 'tlsClientAuthSubjectDn'],
      [{ tlsClientAuthSanDns: '*.example' }, 'tlsClientAuthSanDns'],
      [{ tlsClientAuthSanUri: 'worker' }, 'tlsClientAuthSanUri'],
      [{ tlsClientAuthSanIp: '10.0.0.0/8' }, 'tlsClientAuthSanIp'],
      [{ tlsClientAuthSanEmail: 'example.com' }, 'tlsClientAuthSanEmail'],
      [{ tlsClientAuthSanDns: 'a.example', tlsClientAuthCertificates: ['nothing'] }, 'tlsClientAuthCertificates'],
      [{ tlsClientAuthSanDns: 'a.example', tlsClientAuthCertificates: [leaf().pem] }, 'tlsClientAuthCertificates'],
      [
        { tlsClientAuthSanDns: 'a.example', tlsClientAuthCertificates: [root.pem + root.pem] },
        'tlsClientAuthCertificates',
      ],
    ]
    for (const [metadata, member] of wrong) {
      const { status, body } = await server.api('POST', '/applications', {
        name: 'x',
        type: 'MachineToMachine',
        customClientMetadata: certified(metadata),
      })
      expect([metadata, status, body.data?.issues?.[0]?.path]).toEqual([
        metadata,
        400,
        `/customClientMetadata/${member}`,
      ])
    }
  })
})

describe('self_signed_tls_client_auth (RFC 8705 section 2.2)', () => {
  const selfSigned = (jwks: Metadata['jwks']) =>
    arrange(server, { metadata: { tokenEndpointAuthMethod: 'self_signed_tls_client_auth', jwks } as Metadata })

  test('by a key, whatever its certificate; by a certificate (x5c), that one alone; and within its time', async () => {
    const own = certify()
    const renewed = certify({ keys: own.key })
    const byKey = await selfSigned({ keys: [jwkOf(certify()), jwkOf(own)] })
    const byCertificate = await selfSigned({ keys: [{ ...jwkOf(own), x5c: [own.der.toString('base64')] }] })
    expect(outcome(await ask(byKey, { own }))).toBe('a token')
    expect(outcome(await ask(byKey, { own: renewed }))).toBe('a token')
    expect(outcome(await ask(byCertificate, { own }))).toBe('a token')
    expect(outcome(await ask(byCertificate, { own: renewed }))).toBe(REFUSED)
    for (const each of [byKey, byCertificate])
      for (const stranger of [certify(), undefined])
        expect(outcome(await ask(each, stranger && { own: stranger }))).toBe(REFUSED)
    const past = new Date(server.clock.now().getTime() - 3_600_000)
    expect(outcome(await ask(byKey, { own: certify({ keys: own.key, until: past }) }))).toBe(REFUSED)
    expect(await reasonOf(byKey)).toMatch(/has expired/)
  })

  test('needs keys, and a certificate in jwks is of its key', async () => {
    for (const jwks of [undefined, { keys: [{ ...jwkOf(certify()), x5c: [certify().der.toString('base64')] }] }]) {
      const customClientMetadata = { tokenEndpointAuthMethod: 'self_signed_tls_client_auth', jwks }
      const body = { name: 'x', type: 'Traditional', customClientMetadata }
      expect((await server.api('POST', '/applications', body)).status).toBe(400)
    }
  })
})

test('a file says it all, and its export says the same', async () => {
  const indent = root.pem.trim().replaceAll('\n', '\n          ')
  const text = `applications:
  - name: Declared worker
    type: MachineToMachine
    customClientMetadata:
      tokenEndpointAuthMethod: tls_client_auth
      tlsClientAuthSubjectDn: CN=Worker
      tlsClientAuthCertificates:
        - |
          ${indent}
      tlsClientCertificateBoundAccessTokens: true
resources:
  - indicator: https://declared.example
    name: Declared
    senderConstraint: mtls
`
  const applied = await server.api('POST', '/configs/declaration/apply', { text })
  expect([applied.status, applied.body.message]).toEqual([200, undefined])
  const { body } = await server.api('GET', '/configs/declaration')
  for (const line of [
    'tlsClientAuthSubjectDn: CN=Worker',
    'tlsClientCertificateBoundAccessTokens: true',
    'senderConstraint: mtls',
  ])
    expect(body.text).toContain(line)
  const compared = await server.api('POST', '/configs/declaration/compare', { text: body.text })
  expect([compared.status, compared.body.changes]).toEqual([200, []])
})

describe('real clients', () => {
  const behind = () => Math.floor(server.clock.now().getTime() / 1000) - Math.floor(Date.now() / 1000)

  test('oauth4webapi finds the address in discovery, and gets and introspects a token', async () => {
    const options = { [oauth.allowInsecureRequests]: true, [oauth.customFetch]: fetchWith({ own: leaf() }) }
    const issuer = new URL(server.issuer)
    const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options))
    expect(as.mtls_endpoint_aliases?.token_endpoint).toBe(`${server.secureUrl}/oidc/token`)
    const who = { client_id: machine.client.clientId, use_mtls_endpoint_aliases: true, [oauth.clockSkew]: behind() }
    const parameters = { resource: machine.resource.indicator, scope: 'read:orders' }
    const asked = await oauth.clientCredentialsGrantRequest(as, who, oauth.TlsClientAuth(), parameters, options)
    const { access_token } = await oauth.processClientCredentialsResponse(as, who, asked)
    const answer = await oauth.introspectionRequest(as, who, oauth.TlsClientAuth(), access_token, options)
    expect(await oauth.processIntrospectionResponse(as, who, answer)).toMatchObject({ active: true })
  })

  test('openid-client', async () => {
    const configuration = await client.discovery(
      new URL(server.issuer),
      machine.client.clientId,
      { use_mtls_endpoint_aliases: true, [client.clockSkew]: behind() } as client.ClientMetadata,
      client.TlsClientAuth(),
      { execute: [client.allowInsecureRequests], [client.customFetch]: fetchWith({ own: leaf() }) },
    )
    const tokens = await client.clientCredentialsGrant(configuration, { resource: machine.resource.indicator })
    expect(tokens.token_type).toBe('bearer')
  })
})
