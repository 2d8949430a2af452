/**
 * Uploads in a bucket, and what a process that dies in the middle of one leaves behind. With S3_ENDPOINT the first part runs against
 * the service there (`npm run s3`).
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { freePort } from '@countersign/harness/free-port.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { bucketFiles } from '@countersign/server/assets/bucket.ts'
import { forgetUnusedImages } from '@countersign/server/domain/uploads/unused.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { managementToken } from '../management/arrange.ts'
import { send } from '../protocol/arrange.ts'
import { drawing, END, fetched, filesOf, MULTIPART, part, upload } from './images.ts'
import { BUCKET, KEY, startS3Server } from './s3-server.ts'

const PROGRAM = fileURLToPath(new URL('../webhooks/node.ts', import.meta.url))
const before = { ...process.env }
const image = () => drawing(16, 16).png().toBuffer()
const rowsOf = async ({ store }: TestServer) => store.database.kysely.selectFrom('assets').select('name').execute()
const removedOf = async ({ store }: TestServer) =>
  store.database.kysely.selectFrom('removed_assets').select('path').execute()

let s3: Awaited<ReturnType<typeof startS3Server>>
let server: TestServer
/** A service that is not the test's, where the bucket exists and the key is in the environment. */
const real = process.env.S3_ENDPOINT
beforeAll(async () => {
  s3 = await startS3Server()
  if (!real) Object.assign(process.env, KEY)
  server = await startTestServer(inject('cluster'), {
    ASSETS_DIRECTORY: '',
    ASSETS_S3_BUCKET: BUCKET,
    ASSETS_S3_ENDPOINT: real ?? s3.endpoint,
  })
})
afterAll(async () => {
  for (const name of Object.keys(KEY)) delete process.env[name]
  Object.assign(process.env, before)
  await server.close()
  await s3.close()
})

test('an image is stored, served and deleted', async () => {
  const { status, body } = await upload(server, await image())
  expect(status).toBe(200)
  const served = await fetched(body.url)
  expect([served.status, served.headers.get('content-type')]).toEqual([200, 'image/png'])
  const path = body.url.replace(/^.*\/assets\//, '')
  await server.store.assets.files?.remove(path)
  expect((await fetched(body.url)).status).toBe(404)
  // what is not there is removed as well
  await server.store.assets.files?.remove(path)
})

test('the check reports the location of images, and leaves nothing behind', async () => {
  const place = await server.store.assets.files?.check()
  expect(place).toBe(`bucket ${BUCKET} at ${real ?? s3.endpoint}`)
  expect(await server.store.assets.files?.get(`.check-${process.pid}`)).toBeUndefined()
})

describe.skipIf(real)('a bucket', () => {
  test('that refuses an image refuses the upload, of which nothing is left in the end', async () => {
    s3.refuse('PUT')
    const known = s3.objects.size
    const { status, body } = await upload(server, await image())
    expect([status, body.code]).toEqual([500, 'storage.upload_error'])
    s3.refuse(undefined)
    server.clock.advance(3 * 3600)
    const rows = (await rowsOf(server)).length
    await forgetUnusedImages(server.store)
    expect(await rowsOf(server)).toHaveLength(rows - 1)
    expect(s3.objects.size).toBe(known)
  })

  test('that cannot be read from is no missing image', async () => {
    const { body } = await upload(server, await image())
    const etag = (await fetched(body.url)).headers.get('etag') ?? ''
    s3.refuse('GET')
    expect((await fetched(body.url)).status).toBe(500)
    // of what the client has, nothing is read
    const known = await fetched(body.url, { headers: { 'if-none-match': etag } })
    expect([known.status, known.bytes.length]).toEqual([304, 0])
    s3.refuse(undefined)
    expect((await fetched(body.url)).status).toBe(200)
    await server.store.assets.files?.remove(body.url.replace(/^.*\/assets\//, ''))
    expect((await fetched(body.url, { headers: { 'if-none-match': etag } })).status).toBe(404)
  })

  test('that never answers is given up on', async () => {
    const silent = createServer(() => undefined)
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
    try {
      const files = bucketFiles({ name: BUCKET, region: 'us-east-1', endpoint }, 50)
      await expect(files.get('default/000000000000000000000.png')).rejects.toThrow()
      await expect(files.put('default/000000000000000000000.png', await image(), 'image/png')).rejects.toThrow()
    } finally {
      silent.close()
      silent.closeAllConnections()
    }
  })

  test('that does not delete is asked again the next time', async () => {
    const path = 'default/000000000000000000000.png'
    await server.store.assets.files?.put(path, await image(), 'image/png')
    await server.store.database.kysely
      .insertInto('removed_assets')
      .values({ path, removed_at: server.clock.now() })
      .execute()
    s3.refuse('DELETE')
    await expect(forgetUnusedImages(server.store)).rejects.toThrow()
    expect(await removedOf(server)).toEqual([{ path }])
    s3.refuse(undefined)
    expect(await forgetUnusedImages(server.store)).toBe(1)
    expect(await removedOf(server)).toEqual([])
    expect(s3.objects.has(`/${BUCKET}/${path}`)).toBe(false)
  })
})

/** A node in a process of its own, at the time of the test's clock. */
const startNode = async (): Promise<{ child: ChildProcess; port: number }> => {
  const ahead = (server.clock.now().getTime() - Date.now()) / 1000
  const port = await freePort()
  const child = spawn(process.execPath, [PROGRAM, String(ahead)], {
    env: {
      ...{ ...server.environment, ...KEY, ASSETS_S3_BUCKET: BUCKET, ASSETS_S3_ENDPOINT: s3.endpoint },
      ...{ HOST: '127.0.0.1', PORT: String(port), LOG_LEVEL: 'silent', WORKERS: 'off' },
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: child.stdout })) if (line.startsWith('ready ')) break
  return { child, port }
}

describe.skipIf(real)('of a process that dies', () => {
  test('when the file is stored and nothing else, nothing is left when the housekeeping has come by', async () => {
    const [rows, known] = [(await rowsOf(server)).length, new Set(s3.objects.keys())]
    const token = await managementToken(server, 'all')
    const { child, port } = await startNode()
    const ended = once(child, 'exit')
    const isStored = s3.storeSilently()
    const { host } = new URL(server.baseUrl)
    const sent = send(`http://127.0.0.1:${port}/api/user-assets`, {
      headers: { host, authorization: `Bearer ${token}`, 'content-type': MULTIPART },
      body: Buffer.concat([part('file', await image()), END]),
    }).then(
      ({ status }) => status,
      () => 'the connection ended',
    )
    await isStored
    child.kill('SIGKILL')
    await ended
    expect(await sent).toBe('the connection ended')
    const left = [...s3.objects.keys()].filter((path) => !known.has(path))
    expect([left.length, (await rowsOf(server)).length]).toEqual([1, rows + 1])
    server.clock.advance(3 * 3600)
    await forgetUnusedImages(server.store)
    expect([...s3.objects.keys()].filter((path) => !known.has(path))).toEqual([])
    expect(await rowsOf(server)).toHaveLength(rows)
  })

  test('while the file is written, its beginning is never served, and goes with its row', async () => {
    const local = await startTestServer(inject('cluster'))
    try {
      const name = 'k'.repeat(21)
      const now = local.clock.now()
      const row = { tenant_id: 'default', name: `${name}.png`, bytes: 1, check_at: now, created_at: now }
      await local.store.database.kysely.insertInto('assets').values(row).execute()
      await mkdir(join(local.assetsDirectory, 'default'), { recursive: true })
      await writeFile(join(local.assetsDirectory, 'default', `${name}.png.part`), 'half')
      expect((await fetched(`${local.baseUrl}/assets/default/${name}.png`)).status).toBe(404)
      expect((await fetched(`${local.baseUrl}/assets/default/${name}.png.part`)).status).toBe(404)
      local.clock.advance(1)
      expect(await forgetUnusedImages(local.store)).toBe(1)
      expect(await filesOf(local)).toEqual([])
    } finally {
      await local.close()
    }
  })
})
