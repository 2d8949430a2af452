/** A server with a port that asks for client certificates, and requests over it: real TLS connections. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClusterAddress } from '@countersign/harness/cluster.ts'
import { freePort } from '@countersign/harness/free-port.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { FORM, form, type Reply } from '../protocol/arrange.ts'
import { certify, GeneralName, type Identity, names } from './certificates.ts'

export interface TlsServer extends TestServer {
  /** The address for client certificates. */
  readonly secureUrl: string
  readonly certFile: string
  readonly keyFile: string
}

/** The server's own certificate, which clients of the tests trust. */
export const serverIdentity = (): Identity =>
  certify({ subject: [['CN', 'localhost']], extensions: [names(new GeneralName({ dNSName: 'localhost' }))] })

/** A server with MTLS_PORT. @param env overrides of the configuration */
export const startTlsServer = async (cluster: ClusterAddress, env: NodeJS.ProcessEnv = {}): Promise<TlsServer> => {
  const directory = await mkdtemp(join(tmpdir(), 'countersign-tls-'))
  const [certFile, keyFile] = [join(directory, 'cert.pem'), join(directory, 'key.pem')]
  const { pem, keyPem } = serverIdentity()
  await Promise.all([writeFile(certFile, pem), writeFile(keyFile, keyPem)])
  const port = await freePort()
  const files = { MTLS_PORT: String(port), MTLS_CERT_FILE: certFile, MTLS_KEY_FILE: keyFile }
  const server = await startTestServer(cluster, { ...files, ...env })
  return {
    ...server,
    ...{ secureUrl: `https://localhost:${port}`, certFile, keyFile },
    async close() {
      await server.close()
      await rm(directory, { recursive: true })
    },
  }
}

/** The certificate of a client, and those that it sends along. */
export interface Presented {
  readonly own: Identity
  readonly chain?: readonly Identity[]
}

const agents = new WeakMap<Identity, Agent>()
const plain = new Agent({ rejectUnauthorized: false })

const agentOf = (presented: Presented | undefined): Agent => {
  if (!presented) return plain
  const { own, chain = [] } = presented
  const known = chain.length === 0 ? agents.get(own) : undefined
  const cert = [own, ...chain].map(({ pem }) => pem).join('')
  const agent = known ?? new Agent({ cert, key: own.keyPem, rejectUnauthorized: false, keepAlive: true })
  if (chain.length === 0) agents.set(own, agent)
  return agent
}

/** One request over TLS, with this certificate or none. */
export const secureSend = (
  url: string,
  presented: Presented | undefined,
  { method = 'POST', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers, agent: agentOf(presented) })
    outgoing.on('error', reject)
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const isJson = /json/.test(String(incoming.headers['content-type']))
        const parsed: unknown = isJson && text !== '' ? JSON.parse(text) : undefined
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text, body: parsed })
      })
    })
    outgoing.end(body)
  })

/** A form to an endpoint of `/oidc`, over TLS. */
export const securePost = (
  { secureUrl }: Pick<TlsServer, 'secureUrl'>,
  path: string,
  presented: Presented | undefined,
  parameters: Readonly<Record<string, string>>,
  headers: Record<string, string> = {},
): Promise<Reply> =>
  secureSend(`${secureUrl}/oidc${path}`, presented, {
    headers: { 'content-type': FORM, ...headers },
    body: form(parameters),
  })

/** The `fetch` of a client library, over TLS with this certificate wherever an address is https. */
export const fetchWith =
  (presented: Presented | undefined) =>
  async (
    url: string,
    options: { method: string; headers: Record<string, string>; body?: unknown },
  ): Promise<Response> => {
    const { method, headers, body } = options
    if (url.startsWith('http:')) return fetch(url, { method, headers, body: body as string })
    const { body: content, ...reply } = { body: body === undefined || body === null ? undefined : String(body) }
    const sent = await secureSend(url, presented, { method, headers, ...(content ? { body: content } : {}), ...reply })
    return new Response(sent.text, { status: sent.status, headers: sent.headers as Record<string, string> })
  }
