/**
 * The bare handler that the server is measured against: `node:http`, a form body, a hashed secret, one ES256
 * JWT, JSON. Written plainly and with nothing else: no log, no metrics, no database, hardly any errors. Runs as a
 * separate process; prints its port when it listens.
 */
import { generateKeyPairSync, hash, randomUUID, sign, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const header = encode({ alg: 'ES256', typ: 'at+jwt', kid: 'bnbwkFGDEAHI6RZ3gPzXM0xKkJ5kTfvdzkVYV8AX6nM' })
const [clientId = '', secret = ''] = process.argv.slice(2)
const secretHash = hash('sha256', secret, 'buffer')

const accessToken = (audience: string, scope: string): string => {
  const iat = Math.floor(Date.now() / 1000)
  const payload = encode({
    iss: 'http://localhost:3001/oidc',
    sub: clientId,
    aud: audience,
    exp: iat + 3600,
    iat,
    jti: randomUUID(),
    client_id: clientId,
    scope,
  })
  const signed = `${header}.${payload}`
  const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return `${signed}.${signature.toString('base64url')}`
}

const isClient = (authorization = ''): boolean => {
  const [id = '', presented = ''] = Buffer.from(authorization.slice('Basic '.length), 'base64').toString().split(':')
  return id === clientId && timingSafeEqual(hash('sha256', presented, 'buffer'), secretHash)
}

const server = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (chunk) => {
    body += chunk
  })
  request.on('end', () => {
    const form = new URLSearchParams(body)
    const isAllowed = isClient(request.headers.authorization) && form.get('grant_type') === 'client_credentials'
    const scope = form.get('scope') ?? ''
    const answer = isAllowed
      ? {
          access_token: accessToken(form.get('resource') ?? '', scope),
          token_type: 'Bearer',
          expires_in: 3600,
          scope,
        }
      : { error: 'invalid_client' }
    const text = JSON.stringify(answer)
    response.writeHead(isAllowed ? 200 : 401, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      'cache-control': 'no-store',
    })
    response.end(text)
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(typeof address === 'object' && address ? address.port : 0)
})
// exits with the bench, however that ends
process.stdin.resume().on('end', () => process.exit(0))
