/** JWS compact serialization (RFC 7515) with our own keys: `node:crypto` and cached key objects, for speed. */
import { sign, verify } from 'node:crypto'
import type { SigningAlgorithm } from '@countersign/contract/signing-keys.ts'
import type { SigningKey } from '../domain/signing-keys.ts'

/** The digest of each algorithm; EdDSA brings its own. */
const DIGEST: Record<SigningAlgorithm, string | null> = {
  ES256: 'sha256',
  ES384: 'sha384',
  RS256: 'sha256',
  EdDSA: null,
}

const headers = new WeakMap<SigningKey, Map<string, string>>()

/** The encoded header; made once for each key and type. */
const encodedHeader = (key: SigningKey, typ: string): string => {
  const byType = headers.get(key) ?? new Map<string, string>()
  headers.set(key, byType)
  const known = byType.get(typ)
  if (known) return known
  const header = Buffer.from(JSON.stringify({ alg: key.algorithm, typ, kid: key.id })).toString('base64url')
  byType.set(typ, header)
  return header
}

const withKey = <K>(key: K, algorithm: SigningAlgorithm) =>
  algorithm.startsWith('ES') ? { key, dsaEncoding: 'ieee-p1363' as const } : { key }

/** Signs claims. @param typ the header's `typ`, such as `at+jwt` */
export const signJws = (key: SigningKey, typ: string, claims: object): string => {
  const payload = Buffer.from(JSON.stringify(claims)).toString('base64url')
  const signed = `${encodedHeader(key, typ)}.${payload}`
  const signature = sign(DIGEST[key.algorithm], Buffer.from(signed), withKey(key.privateKey, key.algorithm))
  return `${signed}.${signature.toString('base64url')}`
}

/** Decodes base64url without padding; undefined for anything that is not its one canonical form (SECURITY R-37). */
export const decodeBase64url = (text: string): Buffer | undefined => {
  if (!/^[A-Za-z0-9_-]+$/.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? bytes : undefined
}

const parseObject = (bytes: Buffer | undefined): Record<string, unknown> | undefined => {
  if (!bytes) return undefined
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

export interface ParsedJws {
  readonly header: Readonly<Record<string, unknown>>
  readonly claims: Readonly<Record<string, unknown>>
  readonly signed: string
  readonly signature: Buffer
}

/** Takes a compact JWS apart; undefined for anything malformed. Checks no signature. */
export const parseJws = (token: string): ParsedJws | undefined => {
  const segments = token.split('.')
  if (segments.length !== 3) return undefined
  const [head = '', body = '', tail = ''] = segments
  const header = parseObject(decodeBase64url(head))
  const claims = parseObject(decodeBase64url(body))
  const signature = decodeBase64url(tail)
  return header && claims && signature ? { header, claims, signed: `${head}.${body}`, signature } : undefined
}

/** Whether the signature is the key's. The algorithm is the key's own, never the header's (SECURITY R-15). */
export const hasSignatureOf = ({ signed, signature }: ParsedJws, key: SigningKey): boolean =>
  verify(DIGEST[key.algorithm], Buffer.from(signed), withKey(key.publicKey, key.algorithm), signature)
