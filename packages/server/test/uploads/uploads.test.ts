/** Uploads of operators: what is accepted, how it is stored and served, and every refused body. */
import { open, readdir, readlink, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { LARGEST_UPLOAD } from '@countersign/contract/user-assets.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { managementToken } from '../management/arrange.ts'
import { withSecondTenant } from '../tenants/second-tenant.ts'
import { beginUpload, drawing, END, fetched, filesOf, part, photo, said, upload, uploadBytes } from './images.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())

describe('an image', () => {
  test('from a phone is rotated upright and loses its location', async () => {
    const { status, body } = await upload(server, await photo())
    expect(status).toBe(200)
    expect(body.url).toMatch(new RegExp(`^${server.baseUrl}/assets/default/[0-9a-z]{21}\\.jpg$`))
    const { bytes } = await fetched(body.url)
    const { width, height, exif, format, orientation } = await sharp(bytes).metadata()
    expect({ width, height, exif, format, orientation }).toEqual({ width: 600, height: 800, format: 'jpeg' })
    expect(bytes.includes('of the owner')).toBe(false)
  })

  test.each<[string, () => Promise<Buffer>, string, string]>([
    ['PNG', () => drawing(40, 30).png().toBuffer(), 'png', 'image/png'],
    ['WebP', () => drawing(40, 30).webp().toBuffer(), 'webp', 'image/webp'],
    ['GIF', () => drawing(40, 30).gif().toBuffer(), 'png', 'image/png'],
  ])('of the type %s is encoded anew', async (_title, make, extension, mediaType) => {
    const sent = await make()
    // data after the end of an image is not part of it
    const { body } = await upload(server, Buffer.concat([sent, Buffer.from('<script>alert(1)</script>')]))
    expect(body.url).toMatch(new RegExp(`\\.${extension}$`))
    const { bytes, headers } = await fetched(body.url)
    expect(headers.get('content-type')).toBe(mediaType)
    expect(bytes.includes('<script>')).toBe(false)
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 40, height: 30 })
  })

  test('with many pixels is scaled down, and keeps its proportions', async () => {
    const { body } = await upload(server, await drawing(4096, 1024).png().toBuffer())
    expect(await sharp((await fetched(body.url)).bytes).metadata()).toMatchObject({ width: 2048, height: 512 })
  })

  test.each<[string, () => Buffer | string | Promise<Buffer>, string, RegExp]>([
    ['a page', () => '<!doctype html><script>alert(1)</script>', 'guard.mime_type_not_allowed', /image\/png/],
    ['an SVG', () => '<svg xmlns="http://www.w3.org/2000/svg"/>', 'guard.mime_type_not_allowed', /image\/png/],
    ['a TIFF', () => drawing(8, 8).tiff().toBuffer(), 'guard.mime_type_not_allowed', /image\/png/],
    ['a GIF of no pixels with a script', () => 'GIF89a/*<svg>*/=1;alert(1)', 'guard.invalid_input', /cannot be read/],
    ['the beginning of a PNG', () => Buffer.from('89504e470d0a1a0a', 'hex'), 'guard.invalid_input', /cannot be read/],
    ['half a photo', async () => (await photo()).subarray(0, 900), 'guard.invalid_input', /cannot be read/],
    [
      'a small file of 36 million pixels',
      () => drawing(6000, 6000).png().toBuffer(),
      'guard.invalid_input',
      /more than 25000000 pixels/,
    ],
  ])('is refused if it is %s, whatever its part says of it', async (_title, make, code, reason) => {
    const before = await filesOf(server)
    const { status, body } = await upload(server, await make())
    expect([status, body.code]).toEqual([400, code])
    expect(body.message).toMatch(reason)
    expect(await filesOf(server)).toEqual(before)
  })
})

describe('the address of an image', () => {
  let url: string
  beforeAll(async () => {
    url = (await upload(server, await drawing(16, 16).png().toBuffer())).body.url
  })

  test('serves only an image, cached forever', async () => {
    const { status, headers, bytes } = await fetched(url)
    expect(status).toBe(200)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-length': String(bytes.length),
    })
    const head = await fetched(url, { method: 'HEAD' })
    expect([head.status, head.bytes.length]).toEqual([200, 0])
    expect(head.headers.get('content-length')).toBe(String(bytes.length))
    const etag = headers.get('etag') ?? ''
    const known = await fetched(url, { headers: { 'if-none-match': `"other", W/${etag}` } })
    expect([known.status, known.bytes.length]).toEqual([304, 0])
    expect((await fetched(url, { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
  })

  test.skipIf(process.platform !== 'linux')(
    'reads a file as fast as the client takes it, and closes it when the client is gone',
    async () => {
      const path = join(server.assetsDirectory, 'default', `${'l'.repeat(21)}.png`)
      const file = await open(path, 'w')
      // more than sockets hold
      const size = 32 * 1024 ** 2
      await file.truncate(size)
      await file.close()
      const { hostname, port, host } = new URL(server.baseUrl)
      const socket = connect(Number(port), hostname)
      socket.pause()
      socket.write(`GET /assets/default/${'l'.repeat(21)}.png HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
      const isOpen = async () => {
        const descriptors = await readdir('/proc/self/fd')
        const links = await Promise.all(descriptors.map((each) => readlink(`/proc/self/fd/${each}`).catch(() => '')))
        return links.includes(path)
      }
      await expect.poll(isOpen, { timeout: 30_000 }).toBe(true)
      socket.destroy()
      await expect.poll(isOpen, { timeout: 30_000 }).toBe(false)
      expect((await fetched(`${server.baseUrl}/assets/default/${'l'.repeat(21)}.png`)).bytes.length).toBe(size)
      await rm(path)
    },
  )

  test.each([
    ['of no file', '/assets/default/000000000000000000000.png'],
    ['of another type', '/assets/default/NAME.webp'],
    ['with a directory before it', '/assets/default/..%2Fdefault%2FNAME.png'],
    ['of a file above', '/assets/default/..%2f..%2fmanagement.json'],
    ['of a file that is being written', '/assets/default/NAME.png.part'],
    ['with a NUL', '/assets/default/NAME.png%00'],
    ['in capitals', '/assets/DEFAULT/NAME.png'],
    ['of a directory', '/assets/default/.'],
  ])('%s is 404', async (_title, path) => {
    const name = url.slice(-'000000000000000000000.png'.length, -'.png'.length)
    const { status } = await fetched(`${server.baseUrl}${path.replaceAll('NAME', name)}`)
    expect(status).toBe(404)
  })

  test('of another tenant is 404, even at its own host', async () => {
    const { b } = await withSecondTenant(server, 'second', 'https://second.example')
    const path = new URL(url).pathname
    expect((await b.request('GET', path)).status).toBe(404)
    expect((await b.request('GET', path.replace('default', 'second'))).status).toBe(404)
  })
})

describe('a body', () => {
  const image = () => drawing(4, 4).png().toBuffer()
  const begun = async (bytes: number) => {
    const authorization = `Authorization: Bearer ${await managementToken(server, 'all')}`
    return beginUpload(server, '/api/user-assets', authorization, bytes)
  }

  test.each<[string, (file: Buffer) => Buffer, RegExp]>([
    ['without a file', () => END, /one part, a file/],
    ['with the file in another field', (file) => Buffer.concat([part('image', file), END]), /one part, a file/],
    ['with two files', (file) => Buffer.concat([part('file', file), part('file', file), END]), /one part, a file/],
    [
      'with a text beside it',
      (file) => Buffer.concat([part('file', file), part('a', 'b', ''), END]),
      /one part, a file/,
    ],
    ['with a text as the file', () => Buffer.concat([part('file', 'text', ''), END]), /one part, a file/],
    ['with an empty file', () => Buffer.concat([part('file', ''), END]), /file is empty/],
    [
      'that ends within the file',
      (file) => part('file', file).subarray(0, -10),
      /middle of the file|not valid multipart/,
    ],
    ['that ends before the last boundary', (file) => part('file', file), /middle of the file|not valid multipart/],
    ['that is something else', () => Buffer.from('file=x'), /not valid multipart|one part/],
    ['that is empty', () => Buffer.alloc(0), /body is empty/],
    ['with a header as long as a file', (file) => part('file', file, `; filename="${'x'.repeat(20_000)}"`), /./],
  ])('%s is refused', async (_title, make, reason) => {
    const { status, body } = await uploadBytes(server, make(await image()))
    expect([status, body.code]).toEqual([400, 'guard.invalid_input'])
    expect(body.data.reason).toMatch(reason)
  })

  test.each([
    ['JSON', 'application/json', 415],
    ['a form', 'application/x-www-form-urlencoded', 415],
    ['multipart of another kind', 'multipart/mixed; boundary=x', 415],
    ['multipart without a boundary', 'multipart/form-data', 400],
  ])('that says it is %s is refused', async (_title, contentType, expected) => {
    const body = Buffer.concat([part('file', await image()), END])
    expect((await uploadBytes(server, body, contentType)).status).toBe(expected)
  })

  test('with a file that is one byte too large is refused with the error of uploads', async () => {
    const { status, body } = await upload(server, Buffer.alloc(LARGEST_UPLOAD + 1))
    expect([status, body.code]).toEqual([400, 'guard.file_size_exceeded'])
    expect(body.message).toContain(String(LARGEST_UPLOAD))
    // at the largest size the content decides
    expect((await upload(server, Buffer.alloc(LARGEST_UPLOAD))).body.code).toBe('guard.mime_type_not_allowed')
  })

  test('that is longer than any upload is refused before it arrives', async () => {
    const socket = await begun(LARGEST_UPLOAD * 2)
    expect(await said(socket)).toMatch(/^HTTP\/1.1 400 [\s\S]*guard\.file_size_exceeded/)
  })

  test('that is aborted leaves nothing', async () => {
    const before = await filesOf(server)
    const socket = (await begun(1_000_000)).resume().end()
    await new Promise((resolve) => socket.on('close', resolve))
    expect((await upload(server, await image())).status).toBe(200)
    expect(await filesOf(server)).toHaveLength(before.length + 1)
  })
})

describe('the service', () => {
  test('returns the accepted types and size', async () => {
    expect((await server.api('GET', '/user-assets/service-status')).body).toEqual({
      status: 'ready',
      allowUploadMimeTypes: ['image/jpeg', 'image/png', 'image/gif', 'image/webp'],
      maxUploadFileSize: LARGEST_UPLOAD,
      isExperienceAvatarUploadEnabled: true,
    })
  })

  test('the typed client sends a Blob, and the address works as a logo', async () => {
    const { url } = await server.client.uploadAsset({
      body: { file: new Blob([await drawing(8, 8).png().toBuffer()]) },
    })
    const { status, body } = await server.api('PATCH', '/sign-in-exp', { branding: { logoUrl: url } })
    expect([status, body.branding.logoUrl]).toEqual([200, url])
  })

  test('without configured storage uploads are refused', async () => {
    const bare = await startTestServer(inject('cluster'), { ASSETS_DIRECTORY: '' })
    try {
      expect((await bare.api('GET', '/user-assets/service-status')).body).toEqual({ status: 'not_configured' })
      const { status, body } = await upload(bare, await drawing(4, 4).png().toBuffer())
      expect([status, body.code]).toEqual([400, 'storage.not_configured'])
      expect((await fetched(`${bare.baseUrl}/assets/default/000000000000000000000.png`)).status).toBe(404)
    } finally {
      await bare.close()
    }
  })
})
