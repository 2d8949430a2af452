// A server for the suite, with data of its own, behind a TLS proxy at an address that the suite can reach. A port for client
// certificates, the next one, belongs to the server itself.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, existsSync, mkdirSync, openSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { freePort } from '../../packages/harness/src/free-port.ts'
import { certificateOf } from './keys.ts'

const PROGRAM = join(import.meta.dirname, '../../packages/server/bin/countersign.js')

export interface ServeOptions {
  /** Where the server keeps its data, and its certificate. */
  readonly folder: string
  readonly host: string
  readonly port: number
  readonly suite: string
  /** The certificate of a suite on this machine, in PEM: for the logout tokens that the server sends it. */
  readonly suiteCertificate: string | undefined
}

/** Resolves when both answer; the server ends with this process. Rejects with the server's last words if it ends before that. */
export const serve = async ({ folder, host, port, suite, suiteCertificate }: ServeOptions): Promise<void> => {
  mkdirSync(folder, { recursive: true })
  const { cert, key } = certificateOf(folder, 'tls', `/CN=${host}`, host)
  const inner = await freePort()
  const log = join(folder, 'server.log')
  const out = openSync(log, 'w')
  const child = spawn(PROGRAM, ['start'], {
    stdio: ['ignore', out, out],
    env: {
      ...process.env,
      BASE_URL: `https://${host}:${port}`,
      HOST: '127.0.0.1',
      PORT: String(inner),
      DATA_DIR: folder,
      TRUSTED_PROXIES: '127.0.0.1',
      MTLS_PORT: String(port + 1),
      MTLS_CERT_FILE: join(folder, 'tls.pem'),
      MTLS_KEY_FILE: join(folder, 'tls.key'),
      OUTBOUND_ALLOW: new URL(suite).hostname,
      ...(suiteCertificate === undefined ? {} : { NODE_EXTRA_CA_CERTS: suiteCertificate }),
    },
  })
  const proxy = createServer({ cert, key }, (incoming, answer) => {
    const { url, method, headers, socket } = incoming
    const forwarded = { 'x-forwarded-for': socket.remoteAddress ?? '', 'x-forwarded-proto': 'https' }
    const outgoing = request(
      { host: '127.0.0.1', port: inner, path: url, method, headers: { ...headers, ...forwarded } },
      (response) => {
        answer.writeHead(response.statusCode ?? 502, response.rawHeaders)
        response.pipe(answer)
      },
    )
    outgoing.on('error', () => answer.writeHead(502).end())
    incoming.pipe(outgoing)
  })
  process.on('exit', () => child.kill('SIGTERM'))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit())
  proxy.listen(port)
  await once(proxy, 'listening')
  setDefaultCACertificates([...getCACertificates('default'), cert])
  const ended = once(child, 'exit').then(() => true)
  const answers = async (): Promise<boolean> =>
    fetch(`https://${host}:${port}/oidc/.well-known/openid-configuration`).then(
      ({ ok }) => ok && existsSync(join(folder, 'management.json')),
      () => false,
    )
  while (!(await answers())) {
    if (await Promise.race([ended, new Promise<false>((resolve) => setTimeout(resolve, 100, false))])) {
      createReadStream(log).pipe(process.stderr)
      throw new Error(`the server did not start; ${log} says why`)
    }
  }
}
