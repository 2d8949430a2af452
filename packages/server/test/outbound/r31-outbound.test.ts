import { createSocket } from 'node:dgram'
import { Resolver as DnsResolver } from 'node:dns/promises'
import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import { type AddressInfo, createServer, type Server as NetServer, type Socket } from 'node:net'
import tls from 'node:tls'
import { gzipSync } from 'node:zlib'
import { freePort } from '@countersign/harness/free-port.ts'
import { readConfiguration } from '@countersign/server/configuration.ts'
import { createOutbound, type OutboundOptions } from '@countersign/server/events/outbound.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { HOSTILE_ANSWERS, HOSTILE_URLS, NOT_HTTP } from './hostile-addresses.ts'
import { RECEIVER_CERTIFICATE, RECEIVER_KEY } from './receiver-certificate.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const NOBODY = { hosts: [], ranges: [] }
const outbound = (options: Partial<OutboundOptions> = {}) =>
  createOutbound({ allow: NOBODY, allowLoopback: false, ...options })
const allowed = (list: string) => readConfiguration({ OUTBOUND_ALLOW: list }).outboundAllow
/** A client that treats this machine like any other receiver. */
const local = (options: Partial<OutboundOptions> = {}) => outbound({ allowLoopback: true, ...options })

const listening = async (server: NetServer | http.Server): Promise<number> => {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => {
    for (const socket of sockets) socket.destroy()
    return new Promise((resolve) => server.close(resolve))
  })
  return (server.address() as AddressInfo).port
}

const receiver = async (handler: http.RequestListener) =>
  `http://127.0.0.1:${await listening(http.createServer(handler))}`
/** A server that sends exactly these bytes. */
const speaking = async (speak: (socket: Socket) => void) => {
  const port = await listening(createServer((socket) => void socket.once('data', () => speak(socket))))
  return `http://127.0.0.1:${port}/`
}

const get = (client: ReturnType<typeof createOutbound>, url: string) => client.send({ url, method: 'GET' })

describe('R-31 destinations of outbound requests', () => {
  test.each(HOSTILE_URLS)('R-31 %s is refused', async (url) => {
    await expect(get(outbound(), url)).rejects.toThrow(/is at .*, which is not public/)
  })

  test.each(HOSTILE_ANSWERS.map((answers) => [answers]))('R-31 a name that is at %j is refused', async (answers) => {
    const client = outbound({ resolver: async () => answers })
    await expect(get(client, 'https://receiver.example/')).rejects.toThrow(/which is not public/)
    await expect(get(client, 'https://receiver.example/')).rejects.toMatchObject({ kind: 'address' })
  })

  test.each(NOT_HTTP)('R-31 "%s" is not a valid request URL', async (url) => {
    await expect(get(outbound({ resolver: async () => ['127.0.0.1'] }), url)).rejects.toThrow(
      /^the URL cannot be parsed$|^the URL is neither https nor http$|is not public/,
    )
  })

  test.each(['https://user@9.9.9.9/', 'https://user:secret@9.9.9.9/', 'https://:secret@9.9.9.9/'])(
    'R-31 user information is refused: %s',
    async (url) => {
      await expect(get(outbound(), url)).rejects.toThrow('the URL contains user information')
    },
  )

  test('R-31 plain http to a public address is refused', async () => {
    await expect(get(outbound(), 'http://9.9.9.9/')).rejects.toThrow('is public and the URL is not https')
    await expect(get(outbound(), 'http://9.9.9.9/')).rejects.toMatchObject({ kind: 'plain' })
  })

  test('R-31 a URL of 2049 characters is refused', async () => {
    await expect(get(outbound(), `https://9.9.9.9/${'x'.repeat(2033)}`)).rejects.toThrow('longer than 2048')
    await expect(get(outbound(), `https://9.9.9.9/${'x'.repeat(2033)}`)).rejects.toMatchObject({ kind: 'url' })
  })

  test('R-31 a name without an address is refused', async () => {
    await expect(get(outbound({ resolver: async () => [] }), 'https://receiver.example/')).rejects.toThrow(
      'has no address',
    )
  })

  test('R-31 while the base URL is loopback, loopback is allowed, and nothing else', async () => {
    const url = await receiver((_request, response) => void response.end('here'))
    expect((await get(local(), url)).body.toString()).toBe('here')
    expect(
      (await get(local({ resolver: async () => ['127.0.0.1'] }), url.replace('127.0.0.1', 'localhost'))).status,
    ).toBe(200)
    for (const address of ['10.0.0.1', '0.0.0.0', '169.254.169.254', '[::ffff:127.0.0.1]']) {
      await expect(get(local(), `https://${address}/`)).rejects.toThrow('which is not public')
    }
  })

  test('R-31 OUTBOUND_ALLOW lists hosts, addresses and ranges, by plain http too', async () => {
    const url = await receiver((_request, response) => void response.end())
    const named = url.replace('127.0.0.1', 'receiver.internal')
    const resolver = async () => ['127.0.0.1']
    for (const list of ['127.0.0.1', '127.0.0.0/8', '10.0.0.0/8, 127.0.0.1/32', 'RECEIVER.internal,::1']) {
      expect((await get(outbound({ allow: allowed(list), resolver }), named)).status).toBe(200)
    }
    for (const list of [
      '',
      '127.0.0.2',
      '10.0.0.0/8',
      'internal',
      'other.internal',
      '::ffff:127.0.0.1',
      '0.0.0.0/32',
    ]) {
      const client = outbound({ allow: allowed(list), resolver })
      await expect(get(client, named)).rejects.toThrow('which is not public')
    }
  })

  test.each([
    '10.0.0.0/33',
    '300.1.1.1',
    '10.0.0.0/8/8',
    '*',
    '*.internal',
    'http://internal',
    'a b',
    'a..b',
    '[::1]',
    '-a',
  ])('R-31 OUTBOUND_ALLOW=%s stops the start and says why', (list) => {
    expect(() => allowed(list)).toThrow(/^OUTBOUND_ALLOW must be a comma-separated list of host names/)
  })
})

/** A DNS server with one answer for each query in turn; the last one repeats. */
const nameServer = async (answers: readonly string[]) => {
  let asked = 0
  const socket = createSocket('udp4')
  // the client may be gone
  socket.on('error', () => undefined)
  socket.on('message', (question, from) => {
    const address = answers[Math.min(asked, answers.length - 1)] ?? ''
    asked += 1
    const answer = Buffer.concat([
      question.subarray(0, 2),
      Buffer.from('81800001000100000000', 'hex'),
      question.subarray(12, question.indexOf(0, 12) + 5),
      // the name again, A, IN, TTL 0, four bytes
      Buffer.from('c00c00010001000000000004', 'hex'),
      Buffer.from(address.split('.').map(Number)),
    ])
    socket.send(answer, from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  closers.push(() => new Promise<void>((resolve) => socket.close(resolve)))
  const resolver = new DnsResolver()
  resolver.setServers([`127.0.0.1:${socket.address().port}`])
  return { resolver: (host: string) => resolver.resolve4(host), asked: () => asked }
}

describe('R-31 which URLs may use plain http', () => {
  const listed = { hosts: ['inside.example'], ranges: [] }
  const range = { hosts: [], ranges: ['10.0.0.0/8', '::1'] }
  test.each<[string, Partial<OutboundOptions>, boolean]>([
    ['http://receiver.example/a', {}, false],
    ['http://8.8.8.8', {}, false],
    ['http://localhost:3000', {}, false],
    ['http://127.0.0.1', {}, false],
    ['https://receiver.example/a', {}, true],
    ['http://receiver.example', { allowLoopback: true }, false],
    ['http://10.1.2.3', { allowLoopback: true }, false],
    ['http://localhost:3000', { allowLoopback: true }, true],
    ['http://app.localhost', { allowLoopback: true }, true],
    ['http://127.0.0.9', { allowLoopback: true }, true],
    ['http://[::1]:8080', { allowLoopback: true }, true],
    ['http://[::ffff:127.0.0.1]', { allowLoopback: true }, false],
    ['http://inside.example.', { allow: listed }, true],
    ['http://inside.example.com', { allow: listed }, false],
    ['http://10.1.2.3', { allow: range }, true],
    ['http://11.1.2.3', { allow: range }, false],
    // its addresses are checked when a request is sent
    ['http://receiver.example', { allow: range }, true],
  ])('R-31 %s with %j: %s', (url, options, may) => {
    expect(outbound(options).isSecureEnough(url)).toBe(may)
  })
})

describe('R-31 a name that resolves elsewhere a moment later', () => {
  test('R-31 is resolved once, and the connection goes to the checked address', async () => {
    const hosts: (string | undefined)[] = []
    const url = await receiver(({ headers }, response) => {
      hosts.push(headers.host)
      response.end()
    })
    const { resolver, asked } = await nameServer(['127.0.0.1', '10.0.0.1'])
    const client = outbound({ resolver, allow: allowed('127.0.0.1') })
    const named = url.replace('127.0.0.1', 'rebinding.example')
    expect((await get(client, named)).status).toBe(200)
    expect(asked()).toBe(1)
    expect(hosts).toEqual([new URL(named).host])
    await expect(get(client, named)).rejects.toThrow('rebinding.example is at 10.0.0.1')
    expect(asked()).toBe(2)
    expect(hosts).toHaveLength(1)
  })

  describe('R-31 a connection is reused', () => {
    const counting = async (answer: http.RequestListener = (_request, response) => void response.end()) => {
      const sockets: Socket[] = []
      const server = http.createServer(answer)
      server.on('connection', (socket) => sockets.push(socket))
      return { sockets, port: await listening(server) }
    }
    const resolving = (addresses: Record<string, string[]>) =>
      outbound({ allowLoopback: true, resolver: async (host) => addresses[host] ?? [] })

    test('for the same name while it resolves to the same addresses', async () => {
      const { sockets, port } = await counting()
      const client = resolving({ 'a.example': ['127.0.0.1'] })
      for (let n = 0; n < 5; n += 1) await get(client, `http://a.example:${port}`)
      expect(sockets).toHaveLength(1)
    })

    test('not for another name at the same address', async () => {
      const { sockets, port } = await counting()
      const client = resolving({ 'a.example': ['127.0.0.1'], 'b.example': ['127.0.0.1'] })
      await get(client, `http://a.example:${port}`)
      await get(client, `http://b.example:${port}`)
      expect(sockets).toHaveLength(2)
    })

    test('not once the name resolves elsewhere, and the request is refused if that address is not public', async () => {
      const { sockets, port } = await counting()
      const addresses = { 'a.example': ['127.0.0.1'] }
      const client = resolving(addresses)
      await get(client, `http://a.example:${port}`)
      addresses['a.example'] = ['127.0.0.1', '127.0.0.2']
      await get(client, `http://a.example:${port}`)
      expect(sockets).toHaveLength(2)
      addresses['a.example'] = ['10.0.0.1']
      await expect(get(client, `http://a.example:${port}`)).rejects.toThrow('a.example is at 10.0.0.1')
    })

    test('and replaced once if it was closed in the meantime', async () => {
      let asked = 0
      const { sockets, port } = await counting((request, response) => {
        asked += 1
        if (asked === 1) response.end()
        // a server that closes idle connections may do so while the next request is on its way
        else if (asked === 2) request.socket.resetAndDestroy()
        else response.end('whole')
      })
      const client = resolving({ 'a.example': ['127.0.0.1'] })
      await get(client, `http://a.example:${port}`)
      const { body } = await get(client, `http://a.example:${port}`)
      expect([body.toString(), asked, sockets.length]).toEqual(['whole', 3, 2])
    })

    test('not after a truncated response', async () => {
      const { sockets, port } = await counting((_request, response) => void response.end(Buffer.alloc(200_000)))
      const client = resolving({ 'a.example': ['127.0.0.1'] })
      expect((await get(client, `http://a.example:${port}`)).isCut).toBe(true)
      await get(client, `http://a.example:${port}`)
      expect(sockets).toHaveLength(2)
    })
  })

  test('R-31 a name is not resolved after the request was aborted, when nothing would handle its failure', async () => {
    let looks = 0
    const resolver = async () => {
      looks += 1
      throw new Error('no such name')
    }
    const request = { url: 'https://receiver.example/', method: 'GET', signal: AbortSignal.abort() } as const
    await expect(outbound({ resolver }).send(request)).rejects.toThrow('no complete response')
    expect(looks).toBe(0)
  })

  test('R-31 a resolver that does not answer times out', async () => {
    const client = outbound({ resolver: () => new Promise(() => undefined), timeoutMs: 50 })
    await expect(get(client, 'https://receiver.example/')).rejects.toThrow('no complete response within 0.05 s')
    await expect(get(client, 'https://receiver.example/')).rejects.toMatchObject({ kind: 'timeout' })
  })
})

describe('R-31 hostile responses', () => {
  test.each([300, 301, 302, 303, 304, 307, 308])(
    'R-31 a redirect with %i is a response like any other, and is not followed',
    async (status) => {
      let followed = false
      const inside = await receiver((_request, response) => {
        followed = true
        response.end()
      })
      const url = await receiver((_request, response) => void response.writeHead(status, { location: inside }).end())
      expect(await get(local(), url)).toMatchObject({ status, headers: { location: inside } })
      expect(followed).toBe(false)
    },
  )

  test('R-31 an endless body is cut at 64 KiB', async () => {
    const url = await receiver((_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(16_384, 'x')));
      }
      response.on('drain', more)
      more()
    })
    const answer = await get(local(), url)
    expect(answer.body.length).toBe(65_536)
    expect(answer.isCut).toBe(true)
  })

  test('R-31 a body of 64 KiB is complete', async () => {
    const url = await receiver((_request, response) => void response.end(Buffer.alloc(65_536, 'x')))
    expect(await get(local(), url)).toMatchObject({ isCut: false, status: 200 })
  })

  test('R-31 a compression bomb is not expanded', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000))
    const url = await receiver(({ headers }, response) => {
      expect(headers['accept-encoding']).toBe('identity')
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
    })
    expect((await get(local(), url)).body).toEqual(bomb)
  })

  test('R-31 headers of more than 16 KiB are a failure', async () => {
    const url = await speaking((socket) => socket.end(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(17_000)}\r\n\r\n`))
    await expect(get(local(), url)).rejects.toThrow(/Header overflow|header/i)
  })

  test('R-31 a response that arrives too slowly times out', async () => {
    const url = await speaking((socket) => {
      const drip = setInterval(() => socket.write('x'), 10)
      socket.on('close', () => clearInterval(drip))
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n')
    })
    await expect(get(local({ timeoutMs: 100 }), url)).rejects.toThrow('no complete response within 0.1 s')
  })

  test('R-31 a server that accepts and sends nothing times out', async () => {
    const url = await speaking(() => undefined)
    await expect(get(local({ timeoutMs: 100 }), url)).rejects.toThrow('no complete response within 0.1 s')
  })

  test('R-31 endless informational responses time out', async () => {
    const url = await speaking((socket) => {
      const drip = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 5)
      socket.on('close', () => clearInterval(drip))
    })
    await expect(get(local({ timeoutMs: 100 }), url)).rejects.toThrow('no complete response within 0.1 s')
  })

  test.each([
    ['nothing', ''],
    ['no HTTP', 'hello\r\n\r\n'],
    ['a truncated response', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nxx'],
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'],
  ])('R-31 %s is a failure', async (_what, bytes) => {
    const url = await speaking((socket) => socket.end(bytes))
    await expect(get(local(), url)).rejects.toThrow()
  })

  test('R-31 a port without a listener is a failure', async () => {
    await expect(get(local(), `http://127.0.0.1:${await freePort()}/`)).rejects.toThrow('ECONNREFUSED')
    const refused = get(local(), `http://127.0.0.1:${await freePort()}/`)
    await expect(refused).rejects.toMatchObject({ kind: 'connection' })
  })
})

describe('R-31 TLS', () => {
  const asked: string[] = []
  const secure = async () => {
    const server = https.createServer({ key: RECEIVER_KEY, cert: RECEIVER_CERTIFICATE }, (request, response) => {
      asked.push(`${(request.socket as tls.TLSSocket & { servername?: string }).servername}`)
      response.end()
    })
    server.on('tlsClientError', () => undefined)
    return listening(server)
  }
  const resolver = async () => ['127.0.0.1']

  test('R-31 an untrusted certificate is a failure, whatever the environment says', async () => {
    const port = await secure()
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    closers.push(() => delete process.env.NODE_TLS_REJECT_UNAUTHORIZED)
    await expect(get(local({ resolver }), `https://receiver.example:${port}/`)).rejects.toThrow(/self-signed/)
    expect(asked).toEqual([])
  })

  test('R-31 the certificate must match the name in the URL, which is also sent as SNI', async () => {
    const port = await secure()
    const before = tls.getCACertificates('default')
    tls.setDefaultCACertificates([RECEIVER_CERTIFICATE])
    closers.push(() => tls.setDefaultCACertificates(before))
    expect((await get(local({ resolver }), `https://receiver.example:${port}/`)).status).toBe(200)
    expect(asked).toEqual(['receiver.example'])
    await expect(get(local({ resolver }), `https://other.example:${port}/`)).rejects.toThrow(/altnames|does not match/)
    await expect(get(local({ resolver }), `https://127.0.0.1:${port}/`)).rejects.toThrow(/altnames|does not match/)
  })

  test('R-31 a server that does not speak TLS is a failure', async () => {
    const url = await receiver((_request, response) => void response.end())
    await expect(get(local(), url.replace('http:', 'https:'))).rejects.toThrow()
  })
})
