/** A bucket as S3 documents it: objects by path, errors as XML, and requests that are signed with the key of the test. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export const BUCKET = 'images'
export const KEY = { AWS_ACCESS_KEY_ID: 'the-key-of-the-test', AWS_SECRET_ACCESS_KEY: 'its-secret' }

export interface S3Server {
  readonly endpoint: string
  /** Media type and bytes by path. */
  readonly objects: ReadonlyMap<string, { readonly type: string | undefined; readonly bytes: Buffer }>
  /** Answers requests of a method with 500, or as before. */
  refuse(method: string | undefined): void
  /** Resolves when the next object has been stored, of which the client is told nothing. */
  storeSilently(): Promise<void>
  close(): Promise<void>
}

const errorOf = (code: string): string => `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`

export const startS3Server = async (): Promise<S3Server> => {
  const objects = new Map<string, { type: string | undefined; bytes: Buffer }>()
  let refused: string | undefined
  let stored: (() => void) | undefined

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method, url = '', headers } = request
    const bytes = await buffer(request)
    const end = (status: number, body: string | Buffer = '') => void response.writeHead(status).end(body)
    const isSigned = headers.authorization?.includes(`Credential=${KEY.AWS_ACCESS_KEY_ID}/`)
    const [path = ''] = url.split('?')
    if (!isSigned) return end(403, errorOf('AccessDenied'))
    if (method === refused) return end(500, errorOf('InternalError'))
    if (!path.startsWith(`/${BUCKET}/`)) return end(404, errorOf('NoSuchBucket'))
    const known = objects.get(path)
    if (method === 'HEAD') return end(known ? 200 : 404)
    if (method === 'GET') return known ? end(200, known.bytes) : end(404, errorOf('NoSuchKey'))
    if (method === 'DELETE') {
      objects.delete(path)
      return end(204)
    }
    objects.set(path, { type: headers['content-type'], bytes })
    if (!stored) return end(200)
    stored()
    stored = undefined
  }
  const server = createServer((request, response) => {
    // of a client that was killed
    answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    refuse: (method) => {
      refused = method
    },
    storeSilently: () =>
      new Promise((resolve) => {
        stored = resolve
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
