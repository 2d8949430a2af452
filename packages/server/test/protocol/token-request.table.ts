/**
 * SPEC 4.2, 7 and 8, DECISIONS D4, D7 and M, SECURITY: token requests of a client that authenticates by
 * Basic and holds the permission `read:orders` of the API `resource`. A row is one request and everything that is
 * visible of its response.
 */
import { FORM } from './arrange.ts'

export interface RequestRow {
  readonly guarantee: string
  /** The body; `%R` stands for the encoded indicator of the API. */
  readonly body: string | Uint8Array
  readonly contentType?: string | null
  readonly expect: { readonly status: number; readonly error?: string; readonly scope?: string }
}

const GRANT = 'grant_type=client_credentials'
const asked = (more: string) => `${GRANT}&resource=%R&${more}`
const scopes = (count: number) => Array.from({ length: count }, (_, i) => `s${i}`).join('+')
const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))))

const ok = { status: 200, scope: '' } as const
const granted = { status: 200, scope: 'read:orders' } as const
const badRequest = { status: 400, error: 'invalid_request' } as const
const badScope = { status: 400, error: 'invalid_scope' } as const
const badTarget = { status: 400, error: 'invalid_target' } as const
const badGrant = { status: 400, error: 'unsupported_grant_type' } as const
const tooLarge = { status: 413, error: 'invalid_request' } as const

export const GRANT_ROWS: readonly RequestRow[] = [
  { guarantee: 'without a grant_type is refused', body: 'resource=%R', expect: badRequest },
  { guarantee: 'with an empty grant_type is refused', body: 'grant_type=&resource=%R', expect: badRequest },
  { guarantee: 'for an unknown grant is refused', body: 'grant_type=magic', expect: badGrant },
  {
    guarantee: 'for the password grant is refused',
    body: 'grant_type=password&username=a&password=b',
    expect: badGrant,
  },
  { guarantee: 'for an inherited property name is refused', body: 'grant_type=constructor', expect: badGrant },
  { guarantee: 'for __proto__ is refused', body: 'grant_type=__proto__', expect: badGrant },
  { guarantee: 'for the grant in upper case is refused', body: 'grant_type=CLIENT_CREDENTIALS', expect: badGrant },
  { guarantee: 'for the grant with a space is refused', body: 'grant_type=client_credentials+', expect: badGrant },
]

export const SCOPE_ROWS: readonly RequestRow[] = [
  { guarantee: 'grants a permission that is held', body: asked('scope=read:orders'), expect: granted },
  { guarantee: 'grants nothing that was not asked for', body: asked(''), expect: ok },
  { guarantee: 'an empty scope counts as absent', body: asked('scope='), expect: ok },
  { guarantee: 'a scope of only spaces names none', body: asked('scope=+++'), expect: ok },
  { guarantee: 'spaces around and between are of no account', body: asked('scope=++read:orders++x+'), expect: granted },
  { guarantee: 'a scope named twice is granted once', body: asked('scope=read:orders+read:orders'), expect: granted },
  { guarantee: 'a permission that is not held is dropped', body: asked('scope=write:orders'), expect: ok },
  { guarantee: 'a prefix is no permission (SPEC 2.2, 7)', body: asked('scope=read'), expect: ok },
  { guarantee: 'a prefix with its colon is no permission', body: asked('scope=read:'), expect: ok },
  { guarantee: 'a shortened name is no permission (SPEC 7)', body: asked('scope=read:order'), expect: ok },
  { guarantee: 'a lengthened name is no permission', body: asked('scope=read:orders:all'), expect: ok },
  { guarantee: 'a star is no wildcard', body: asked('scope=*+read:*+read%25'), expect: ok },
  { guarantee: 'case matters', body: asked('scope=READ:ORDERS'), expect: ok },
  { guarantee: 'a comma does not separate', body: asked('scope=read:orders,write:orders'), expect: ok },
  { guarantee: 'openid is no permission of an API', body: asked('scope=openid+offline_access'), expect: ok },
  { guarantee: 'a percent-encoded scope is the same scope', body: asked('scope=%72ead%3Aorders'), expect: granted },
  { guarantee: '200 scopes are allowed', body: asked(`scope=read:orders+${scopes(199)}`), expect: granted },
  { guarantee: 'R-35 201 scopes are refused', body: asked(`scope=read:orders+${scopes(200)}`), expect: badScope },
  { guarantee: 'a tab is no character of a scope', body: asked('scope=read:orders%09x'), expect: badScope },
  { guarantee: 'a newline is none', body: asked('scope=read:orders%0A'), expect: badScope },
  { guarantee: 'a double quote is none', body: asked('scope=%22read:orders%22'), expect: badScope },
  { guarantee: 'a backslash is none', body: asked('scope=read%5Corders'), expect: badScope },
  { guarantee: 'a letter beyond ASCII is none', body: asked('scope=r%C3%A9ad:orders'), expect: badScope },
  { guarantee: 'a delete character is none', body: asked('scope=%7f'), expect: badScope },
]

export const RESOURCE_ROWS: readonly RequestRow[] = [
  { guarantee: 'is for the API that is named', body: `${GRANT}&resource=%R`, expect: ok },
  { guarantee: 'empty values beside it are of no account', body: `${GRANT}&resource=&resource=%R`, expect: ok },
  { guarantee: 'an unknown API is refused', body: `${GRANT}&resource=https://nobody.example`, expect: badTarget },
  { guarantee: 'no URI at all is refused', body: `${GRANT}&resource=orders`, expect: badTarget },
  { guarantee: 'a trailing slash is another API', body: `${GRANT}&resource=%R/`, expect: badTarget },
  {
    guarantee: 'a part of the indicator is another API',
    body: `${GRANT}&resource=https://api.example`,
    expect: badTarget,
  },
  { guarantee: 'a fragment makes another API', body: `${GRANT}&resource=%R%23`, expect: badTarget },
  { guarantee: 'several APIs are refused', body: `${GRANT}&resource=%R&resource=https://x.example`, expect: badTarget },
  { guarantee: 'the same API twice is refused', body: `${GRANT}&resource=%R&resource=%R`, expect: badTarget },
  { guarantee: 'none at all without a default API is refused', body: GRANT, expect: badTarget },
  { guarantee: 'an empty one without a default API is refused', body: `${GRANT}&resource=`, expect: badTarget },
  {
    guarantee: 'R-35 one of 3000 characters is refused',
    body: `${GRANT}&resource=%R${'x'.repeat(3000)}`,
    expect: badTarget,
  },
]

export const FORM_ROWS: readonly RequestRow[] = [
  { guarantee: 'a repeated grant_type is refused', body: `${GRANT}&${GRANT}&resource=%R`, expect: badRequest },
  { guarantee: 'a repeated scope is refused', body: asked('scope=read:orders&scope=x'), expect: badRequest },
  { guarantee: 'a repeated empty scope is refused', body: asked('scope=&scope='), expect: badRequest },
  { guarantee: 'a repeated unknown parameter is refused', body: asked('x=1&x=2'), expect: badRequest },
  { guarantee: 'a repeated client_id is refused', body: asked('client_id=a&client_id=b'), expect: badRequest },
  {
    guarantee: 'a repeated client_secret is refused',
    body: asked('client_secret=a&client_secret=b'),
    expect: badRequest,
  },
  { guarantee: 'an unknown parameter is ignored', body: asked('audience=x&state=y'), expect: ok },
  { guarantee: 'parameters of another grant are ignored', body: asked('code=x&subject_token=y'), expect: ok },
  { guarantee: 'R-37 __proto__ is a name like any other', body: asked('__proto__=x&constructor=y'), expect: ok },
  { guarantee: 'R-37 __proto__[x] makes nothing', body: asked('__proto__[scope]=read:orders'), expect: ok },
  { guarantee: 'R-37 scope[] is not scope', body: asked('scope[]=read:orders&scope[0]=x'), expect: ok },
  { guarantee: 'a name without a value is empty', body: asked('scope'), expect: ok },
  { guarantee: 'empty pairs are of no account', body: `&&${asked('scope=read:orders')}&&`, expect: granted },
  { guarantee: 'the name may be encoded', body: asked('%73cope=read:orders'), expect: granted },
  { guarantee: 'R-37 a NUL byte in a value is refused', body: asked('scope=read%00'), expect: badRequest },
  { guarantee: 'R-37 a NUL byte in a name is refused', body: asked('a%00b=1'), expect: badRequest },
  { guarantee: 'R-37 a bare NUL byte is refused', body: bytes(asked('scope='), [0]), expect: badRequest },
  {
    guarantee: 'R-37 bytes that are not UTF-8 are refused',
    body: bytes(asked('scope='), [255, 254]),
    expect: badRequest,
  },
  { guarantee: 'R-37 an overlong encoding is refused', body: bytes(asked('x='), [0xc0, 0xaf]), expect: badRequest },
  { guarantee: 'R-37 encoded bytes that are not UTF-8 are refused', body: asked('scope=%ff'), expect: badRequest },
  { guarantee: 'R-37 half a surrogate pair is refused', body: asked('scope=%ED%A0%80'), expect: badRequest },
  { guarantee: 'R-37 a percent sign that begins nothing is refused', body: asked('scope=100%'), expect: badRequest },
  { guarantee: 'R-37 a percent sign before no hexadecimal is refused', body: asked('scope=%gg'), expect: badRequest },
  { guarantee: 'R-35 1001 parameters are refused', body: `${asked('')}${'&a'.repeat(1001)}`, expect: badRequest },
  { guarantee: 'R-35 a body of 16 KiB is read', body: asked(`x=${'y'.repeat(16_000)}`), expect: ok },
  { guarantee: 'R-35 a body over 16 KiB is refused', body: asked(`x=${'y'.repeat(16_384)}`), expect: tooLarge },
  { guarantee: 'an empty body is refused', body: '', expect: badRequest },
]

const TYPED = asked('scope=read:orders')
export const CONTENT_ROWS: readonly RequestRow[] = [
  { guarantee: 'a form', body: TYPED, contentType: FORM, expect: granted },
  { guarantee: 'a form with a charset', body: TYPED, contentType: `${FORM}; charset=UTF-8`, expect: granted },
  { guarantee: 'a form in upper case', body: TYPED, contentType: FORM.toUpperCase(), expect: granted },
  { guarantee: 'no content type', body: TYPED, contentType: null, expect: badRequest },
  { guarantee: 'text', body: TYPED, contentType: 'text/plain', expect: badRequest },
  { guarantee: 'a form that is called JSON', body: TYPED, contentType: 'application/json', expect: badRequest },
  {
    guarantee: 'JSON',
    body: '{"grant_type":"client_credentials"}',
    contentType: 'application/json',
    expect: badRequest,
  },
  { guarantee: 'JSON that is called a form', body: '{"grant_type":"client_credentials"}', expect: badRequest },
  { guarantee: 'multipart', body: TYPED, contentType: 'multipart/form-data; boundary=x', expect: badRequest },
  { guarantee: 'a longer name', body: TYPED, contentType: `${FORM}-data`, expect: badRequest },
  { guarantee: 'XML', body: '<grant/>', contentType: 'application/xml', expect: badRequest },
  { guarantee: 'a content type that is none', body: TYPED, contentType: ';;', expect: badRequest },
]
