/**
 * DECISIONS C1 and C2, SPEC 4.2 and 7: which clients the token endpoint authenticates. A row is one request; `expect`
 * is all that may be seen of the response: status, error code, and whether it carries `WWW-Authenticate: Basic`.
 */
import { basic } from './arrange.ts'

export type Kind = 'basic' | 'post' | 'jwt' | 'spa' | 'native' | 'web'

/** The values of the tested application that a row may use. */
export interface Subject {
  readonly id: string
  readonly secret: string
  /** The id and secret of another application that authenticates by Basic. */
  readonly other: { readonly id: string; readonly secret: string }
  readonly assertion: () => Promise<string>
}

interface Attempt {
  readonly headers?: Readonly<Record<string, string>>
  readonly parameters?: Readonly<Record<string, string>>
}

export interface Row {
  readonly guarantee: string
  readonly kind: Kind
  readonly attempt: (subject: Subject) => Attempt | Promise<Attempt>
  readonly expect: { readonly status: number; readonly error?: string; readonly challenge?: true }
}

const ASSERTION = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const header = (id: string, secret: string) => ({ headers: { authorization: basic(id, secret) } })
const body = (id: string, secret: string) => ({ parameters: { client_id: id, client_secret: secret } })
const only = (id: string) => ({ parameters: { client_id: id } })
const assertion = async ({ assertion: make }: Subject, more: Record<string, string> = {}) => ({
  parameters: { client_assertion_type: ASSERTION, client_assertion: await make(), ...more },
})

const granted = { status: 200 } as const
const refused = { status: 401, error: 'invalid_client' } as const
const challenged = { ...refused, challenge: true } as const
const twoWays = { status: 400, error: 'invalid_request' } as const
const unauthorized = { status: 400, error: 'unauthorized_client' } as const

export const METHODS: readonly Row[] = [
  { guarantee: 'Basic is accepted', kind: 'basic', attempt: (s) => header(s.id, s.secret), expect: granted },
  {
    guarantee: 'Basic with the same client_id in the body is accepted',
    kind: 'basic',
    attempt: (s) => ({ ...header(s.id, s.secret), ...only(s.id) }),
    expect: granted,
  },
  {
    guarantee: 'a confidential client that omits the Basic header is refused (SPEC 7)',
    kind: 'basic',
    attempt: (s) => only(s.id),
    expect: refused,
  },
  {
    guarantee: 'a secret in the body is refused unless the application is set so (SPEC 7)',
    kind: 'basic',
    attempt: (s) => body(s.id, s.secret),
    expect: refused,
  },
  { guarantee: 'no client at all is refused', kind: 'basic', attempt: () => ({}), expect: refused },
  {
    guarantee: 'an unknown client is refused, with Basic',
    kind: 'basic',
    attempt: (s) => header('0'.repeat(21), s.secret),
    expect: challenged,
  },
  {
    guarantee: 'an unknown client is refused, with a secret in the body',
    kind: 'basic',
    attempt: (s) => body('0'.repeat(21), s.secret),
    expect: refused,
  },
  {
    guarantee: 'an unknown client is refused, with only an id',
    kind: 'basic',
    attempt: () => only('0'.repeat(21)),
    expect: refused,
  },
  {
    guarantee: 'an id that can be no one is refused',
    kind: 'basic',
    attempt: (s) => header("' OR 1=1 --", s.secret),
    expect: challenged,
  },
  {
    guarantee: 'a wrong secret is refused',
    kind: 'basic',
    attempt: (s) => header(s.id, `${s.secret.slice(0, -1)}_`),
    expect: challenged,
  },
  { guarantee: 'an empty secret is refused', kind: 'basic', attempt: (s) => header(s.id, ''), expect: challenged },
  {
    guarantee: 'a part of the secret is refused',
    kind: 'basic',
    attempt: (s) => header(s.id, s.secret.slice(0, -1)),
    expect: challenged,
  },
  {
    guarantee: 'the secret of another application is refused',
    kind: 'basic',
    attempt: (s) => header(s.id, s.other.secret),
    expect: challenged,
  },
  {
    guarantee: 'the id in upper case is refused',
    kind: 'basic',
    attempt: (s) => header(s.id.toUpperCase(), s.secret),
    expect: challenged,
  },
  {
    guarantee: 'a secret in a header and in the body is two mechanisms',
    kind: 'basic',
    attempt: (s) => ({ ...header(s.id, s.secret), ...body(s.id, s.secret) }),
    expect: twoWays,
  },
  {
    guarantee: 'a secret in a header and an assertion are two mechanisms',
    kind: 'jwt',
    attempt: async (s) => ({ ...header(s.id, s.secret), ...(await assertion(s)) }),
    expect: twoWays,
  },
  {
    guarantee: 'a secret in the body and an assertion are two mechanisms',
    kind: 'jwt',
    attempt: (s) => assertion(s, body(s.id, s.secret).parameters),
    expect: twoWays,
  },
  {
    guarantee: 'a client_id in the body that is not the one of the header is refused',
    kind: 'basic',
    attempt: (s) => ({ ...header(s.id, s.secret), ...only(s.other.id) }),
    expect: twoWays,
  },
  {
    guarantee: 'a client_id that is not the subject of the assertion is refused',
    kind: 'jwt',
    attempt: (s) => assertion(s, { client_id: s.other.id }),
    expect: twoWays,
  },
  {
    guarantee: 'a secret in the body is accepted by setting',
    kind: 'post',
    attempt: (s) => body(s.id, s.secret),
    expect: granted,
  },
  {
    guarantee: 'Basic is refused when the setting says the body',
    kind: 'post',
    attempt: (s) => header(s.id, s.secret),
    expect: challenged,
  },
  {
    guarantee: 'a wrong secret in the body is refused, without a challenge for a header that was not sent',
    kind: 'post',
    attempt: (s) => body(s.id, 'x'),
    expect: refused,
  },
  { guarantee: 'an assertion is accepted by setting', kind: 'jwt', attempt: (s) => assertion(s), expect: granted },
  {
    guarantee: 'an assertion with the same client_id is accepted',
    kind: 'jwt',
    attempt: (s) => assertion(s, { client_id: s.id }),
    expect: granted,
  },
  {
    guarantee: 'the secret is refused when the setting says an assertion',
    kind: 'jwt',
    attempt: (s) => header(s.id, s.secret),
    expect: challenged,
  },
  {
    guarantee: 'only an id is refused when the setting says an assertion',
    kind: 'jwt',
    attempt: (s) => only(s.id),
    expect: refused,
  },
  {
    guarantee: 'an assertion without its type is refused',
    kind: 'jwt',
    attempt: (s) => assertion(s, { client_assertion_type: '' }),
    expect: refused,
  },
  {
    guarantee: 'an assertion of another type is refused',
    kind: 'jwt',
    attempt: (s) => assertion(s, { client_assertion_type: ASSERTION.replace('jwt', 'saml2') }),
    expect: refused,
  },
  {
    guarantee: 'an assertion that says no type is refused, and its client_id does not stand for a public client alone',
    kind: 'spa',
    attempt: async (s) => ({ parameters: { client_id: s.id, client_assertion: await s.assertion() } }),
    expect: refused,
  },
  {
    guarantee: 'a type without an assertion is refused',
    kind: 'jwt',
    attempt: (s) => ({ parameters: { client_id: s.id, client_assertion_type: ASSERTION } }),
    expect: refused,
  },
  {
    guarantee: 'an assertion of an application that authenticates by Basic is refused',
    kind: 'basic',
    attempt: (s) => assertion(s),
    expect: refused,
  },
  {
    guarantee: 'a public client is known by its id, and may not use client_credentials',
    kind: 'spa',
    attempt: (s) => only(s.id),
    expect: unauthorized,
  },
  { guarantee: 'so is a native one', kind: 'native', attempt: (s) => only(s.id), expect: unauthorized },
  {
    guarantee: 'a web application may not use client_credentials',
    kind: 'web',
    attempt: (s) => header(s.id, s.secret),
    expect: unauthorized,
  },
  {
    guarantee: 'a public client that sends a secret is refused',
    kind: 'spa',
    attempt: (s) => body(s.id, 'secret'),
    expect: refused,
  },
  {
    guarantee: 'a public client that sends Basic is refused, also with an empty secret',
    kind: 'spa',
    attempt: (s) => header(s.id, ''),
    expect: challenged,
  },
]

const b64 = (text: string | Uint8Array) => Buffer.from(text).toString('base64')
const percent = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')

/** Credentials of a length that base64 has to pad, so that there are bits to spare in the last character. */
const padded = (id: string, secret: string) => basic(id, percent(secret.slice(0, 1)) + secret.slice(1))
const withSpareBits = (header: string) =>
  header.replace(/.(?==+$)/, (last) => String.fromCharCode(last.charCodeAt(0) + 1))

/** Forms of the Authorization header, after `id` and `secret` of an application that authenticates by Basic. */
export const BASIC_FORMS: readonly {
  readonly form: string
  readonly of: (id: string, secret: string) => string
  readonly accepted: boolean
}[] = [
  { form: 'percent-encoded id and secret', of: (i, s) => basic(percent(i), percent(s)), accepted: true },
  { form: 'percent-encoded in upper case', of: (i, s) => basic(i, percent(s).toUpperCase()), accepted: true },
  { form: 'the scheme in lower case', of: (i, s) => basic(i, s).replace('Basic', 'basic'), accepted: true },
  { form: 'several spaces after the scheme', of: (i, s) => basic(i, s).replace(' ', '   '), accepted: true },
  { form: 'padded base64', of: padded, accepted: true },
  { form: 'base64 without its padding', of: (i, s) => padded(i, s).replace(/=+$/, ''), accepted: true },
  { form: 'bits in base64 that are no byte', of: (i, s) => withSpareBits(padded(i, s)), accepted: false },
  { form: 'nothing after the scheme', of: () => 'Basic', accepted: false },
  { form: 'an empty header', of: () => '', accepted: false },
  { form: 'no space after the scheme', of: (i, s) => basic(i, s).replace(' ', ''), accepted: false },
  { form: 'a tab after the scheme', of: (i, s) => basic(i, s).replace(' ', '\t'), accepted: false },
  { form: 'no base64', of: (i, s) => `Basic ${i}:${s}`, accepted: false },
  { form: 'base64url', of: (i) => `Basic ${Buffer.from(`${i}:>>>???`).toString('base64url')}`, accepted: false },
  { form: 'no colon', of: (i, s) => `Basic ${b64(i + s)}`, accepted: false },
  { form: 'an encoded colon', of: (i, s) => `Basic ${b64(`${i}%3A${s}`)}`, accepted: false },
  { form: 'an empty id', of: (_, s) => basic('', s), accepted: false },
  { form: 'only a colon', of: () => `Basic ${b64(':')}`, accepted: false },
  { form: 'a percent sign that begins nothing', of: (i, s) => basic(i, `${s}%`), accepted: false },
  { form: 'percent-encoding that is not hexadecimal', of: (i, s) => basic(i, `${s}%zz`), accepted: false },
  { form: 'percent-encoding that is not UTF-8', of: (i, s) => basic(i, `${s}%ff`), accepted: false },
  {
    form: 'bytes that are not UTF-8',
    of: (i) => `Basic ${b64(Buffer.from(`${i}:\xff\xfe`, 'latin1'))}`,
    accepted: false,
  },
  { form: 'a NUL byte in the secret', of: (i, s) => basic(i, `${s}\0`), accepted: false },
  { form: 'an encoded NUL byte in the id', of: (i, s) => basic(`${i}%00`, s), accepted: false },
  { form: 'white space around the id', of: (i, s) => basic(` ${i}`, s), accepted: false },
  { form: 'a newline after the secret', of: (i, s) => basic(i, `${s}\n`), accepted: false },
  { form: 'text after the base64', of: (i, s) => `${basic(i, s)} x`, accepted: false },
  { form: 'two credentials in one header', of: (i, s) => `${basic(i, s)}, ${basic(i, s)}`, accepted: false },
  { form: 'too much padding', of: (i, s) => `${padded(i, s).replace(/=+$/, '')}===`, accepted: false },
  { form: 'Bearer', of: (i, s) => basic(i, s).replace('Basic', 'Bearer'), accepted: false },
  { form: 'Digest', of: (i) => `Digest username="${i}"`, accepted: false },
  { form: 'a BOM before the id', of: (i, s) => basic(`\ufeff${i}`, s), accepted: false },
  { form: 'a secret of 4 KiB', of: (i, s) => basic(i, s + 'x'.repeat(4096)), accepted: false },
]
