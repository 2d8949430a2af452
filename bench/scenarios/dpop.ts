/** client_credentials with a DPoP proof, against the same without: what binding a token to a key costs. */
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { atMost, median, type Section, spread } from '../figures.ts'
import { basic, requestBytes } from '../load.ts'
import { measure, type Subject } from '../rounds.ts'
import { ASKED, type World } from '../world.ts'
import { oneApplication, ratios, roundTrips, speed } from './client-credentials.ts'

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Proofs for one address, each for one request. A client has one key. */
const proofs = (htu: string): (() => string) => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const header = encoded({ alg: 'ES256', typ: 'dpop+jwt', jwk: publicKey.export({ format: 'jwk' }) })
  return () => {
    const claims = { jti: randomUUID(), htm: 'POST', htu, iat: Math.floor(Date.now() / 1000) }
    const signed = `${header}.${encoded(claims)}`
    const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' })
    return `${signed}.${signature.toString('base64url')}`
  }
}

/** The server, with a new proof in every request. */
const withProofs = ({ server, application, installation }: World): Subject => {
  const proof = proofs(`${installation.baseUrl}/oidc/token`)
  const form = { grant_type: 'client_credentials', ...ASKED }
  const authorization = basic(application)
  return { ...server, next: () => requestBytes('/oidc/token', `${authorization}\r\ndpop: ${proof()}`, form) }
}

export const dpop = async (world: World): Promise<Section> => {
  const { bearer, bound } = await measure(world, { bearer: oneApplication(world), bound: withProofs(world) })
  const ratio = ratios(bound, bearer)
  return {
    title: 'client_credentials with DPoP',
    figures: [
      ...speed('without', bearer),
      ...speed('with a proof', bound),
      atMost('CPU, as a ratio', median(ratio), spread(ratio, 2), 2.2, ' times'),
      // those that arrive together share a statement
      atMost('database round trips per request', bound.roundTripsPerRequest, roundTrips(bound), 1, ''),
    ],
  }
}
