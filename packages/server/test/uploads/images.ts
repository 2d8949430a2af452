/** Images that tests upload, created by the library that reads them, and requests that no client would send. */
import { readdir } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import type { TestServer } from '@countersign/harness/server.ts'
import sharp from 'sharp'
import { managementToken } from '../management/arrange.ts'
import { type Reply, send } from '../protocol/arrange.ts'

export const drawing = (width: number, height: number, background = '#2f4fd0') =>
  sharp({ create: { width, height, channels: 3, background }, limitInputPixels: false })

/** A photo from a phone: rotated, with the location and the owner in its metadata. */
export const photo = (): Promise<Buffer> =>
  drawing(800, 600)
    .withExif({ IFD0: { Copyright: 'of the owner' }, IFD3: { GPSLatitude: '51/1 30/1 3230/100' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()

const BOUNDARY = 'between'
export const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`

/** A part as sent. @param head the rest of its header after the name */
export const part = (
  name: string,
  content: Buffer | string,
  head = '; filename="logo.png"\r\nContent-Type: image/png',
) =>
  Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${head}\r\n\r\n`),
    Buffer.from(content as string),
    Buffer.from('\r\n'),
  ])
export const END = Buffer.from(`--${BOUNDARY}--\r\n`)

/** Sends an operator's upload, as exactly these bytes. */
export const uploadBytes = async (server: TestServer, body: Buffer, contentType: string = MULTIPART): Promise<Reply> =>
  send(`${server.baseUrl}/api/user-assets`, {
    headers: { authorization: `Bearer ${await managementToken(server, 'all')}`, 'content-type': contentType },
    body,
  })

/** Sends a file as an operator's upload. */
export const upload = (server: TestServer, file: Buffer | string): Promise<Reply> =>
  uploadBytes(server, Buffer.concat([part('file', file), END]))

/** The names of all files of any tenant, including those being written. */
export const filesOf = async ({ assetsDirectory }: TestServer): Promise<string[]> => {
  const entries = await readdir(assetsDirectory, { recursive: true }).catch(() => [])
  return entries.filter((name) => name.includes('/'))
}

/** The response at an address. */
export const fetched = async (url: string, init: RequestInit = {}) => {
  const response = await fetch(url, init)
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

/** Begins an upload and sends only its first bytes. @param header one more line. @param length the declared length */
export const beginUpload = ({ baseUrl }: TestServer, path: string, header: string, length: number): Socket => {
  const { host, hostname, port } = new URL(baseUrl)
  const lines = [
    `POST ${path} HTTP/1.1`,
    `Host: ${host}`,
    header,
    `Content-Type: ${MULTIPART}`,
    `Content-Length: ${length}`,
  ]
  const socket = connect(Number(port), hostname).on('error', () => undefined)
  socket.write(`${lines.join('\r\n')}\r\n\r\n--${BOUNDARY}`)
  return socket
}

/** What the server says on a connection before it ends it, be it with a reset. */
export const said = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    let text = ''
    socket.on('data', (chunk) => {
      text += String(chunk)
    })
    socket.on('close', () => resolve(text))
  })
