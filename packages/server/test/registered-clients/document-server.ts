/** A server of client metadata documents, by TLS that this process trusts, and what it is asked. */
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { serverIdentity } from '../mtls/tls.ts'

type Metadata = Readonly<Record<string, unknown>>
/** What is at an address: a document, or whatever it answers. */
export type Content = Metadata | ((request: IncomingMessage, response: ServerResponse) => void)

export interface DocumentServer {
  /** The host, as users see it. */
  readonly host: string
  /** The paths that were asked for. */
  readonly asked: readonly string[]
  /** Puts something at a path; returns the address. A document without `client_id` gets the address. */
  put(path: string, content: Content): string
  remove(path: string): void
  close(): Promise<void>
}

export const startDocumentServer = async (): Promise<DocumentServer> => {
  const { pem, keyPem } = serverIdentity()
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, pem])
  const contents = new Map<string, Content>()
  const asked: string[] = []
  const server = createServer({ cert: pem, key: keyPem }, (request, response) => {
    const path = request.url ?? ''
    asked.push(path)
    const content = contents.get(path)
    if (typeof content === 'function') return content(request, response)
    response.writeHead(content ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(content ?? {}))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `localhost:${(server.address() as AddressInfo).port}`
  return {
    host,
    asked,
    put(path, content) {
      const id = `https://${host}${path}`
      contents.set(path, typeof content === 'function' ? content : { client_id: id, ...content })
      return id
    },
    remove: (path) => void contents.delete(path),
    async close() {
      // another certificate with the name of this host could not be verified beside it
      setDefaultCACertificates(before)
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
