// Keys and certificates of the suite's clients, kept in files, so that a second run uses the same.
import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface KeySet {
  readonly keys: readonly Readonly<Record<string, unknown>>[]
}

/** The private key of a client, as a JWK set; made if there is none. */
export const keyOf = (folder: string, name: string): KeySet => {
  const file = join(folder, `${name}.json`)
  if (!existsSync(file)) {
    const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })
    const keys = [{ ...key, kid: name, alg: 'ES256', use: 'sig' }]
    writeFileSync(file, JSON.stringify({ keys }), { mode: 0o600 })
  }
  return JSON.parse(readFileSync(file, 'utf8'))
}

export const publicOf = ({ keys }: KeySet): KeySet => ({ keys: keys.map(({ d: _private, ...key }) => key) })

const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: ['ignore', 'pipe', 'pipe'] })

export interface Certificate {
  /** In PEM, both. */
  readonly cert: string
  readonly key: string
}

/** A certificate that signs itself; made if there is none. @param subject as openssl takes it, `/CN=…` */
export const certificateOf = (folder: string, name: string, subject: string, host?: string): Certificate => {
  const [key, cert] = [join(folder, `${name}.key`), join(folder, `${name}.pem`)]
  if (!existsSync(cert)) {
    const names =
      host === undefined ? [] : ['-addext', `subjectAltName=${/^[\d.]+$/.test(host) ? 'IP' : 'DNS'}:${host}`]
    openssl(
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '30'],
      ...['-keyout', key, '-out', cert, '-subj', subject, ...names],
    )
  }
  return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') }
}
