/** Responses to malformed requests, which the HTTP parser refuses before an endpoint could be called. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** No response may be interpreted as another type than it declares (SECURITY R-30). */
export const NOSNIFF = { 'x-content-type-options': 'nosniff' } as const

const REFUSALS: Readonly<Record<string, readonly [status: string, sentence: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not arrive in time.'],
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The address and the headers are larger than 16 KiB.'],
}
const MALFORMED = ['400 Bad Request', 'This is not an HTTP/1.1 request.'] as const

/** Writes the response by hand and ends the connection: whatever follows on it cannot be parsed either. */
export const refuseUnreadable = (error: NodeJS.ErrnoException, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const [status, message] = REFUSALS[error.code ?? ''] ?? MALFORMED
  const body = JSON.stringify({ code: 'request.invalid_input', message })
  const headers = {
    ...NOSNIFF,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  if (socket.writable) socket.write([`HTTP/1.1 ${status}`, ...lines, '', body].join('\r\n'))
  socket.destroy()
}

/** An `Expect` that no one can meet (RFC 9110 section 10.1.1). */
export const refuseExpectation = (_request: IncomingMessage, response: ServerResponse): void => {
  response.writeHead(417, { ...NOSNIFF, connection: 'close' }).end()
}
