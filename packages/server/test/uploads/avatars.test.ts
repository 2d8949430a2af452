/** Avatars that users upload while they register or sign in, and how long images are kept. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { deleteTenant, getTenant } from '@countersign/server/domain/tenants/tenants.ts'
import { forgetUnusedImages } from '@countersign/server/domain/uploads/unused.ts'
import { systemCaller } from '@countersign/server/kernel/caller.ts'
import { perform } from '@countersign/server/storage/unit-of-work.ts'
import type * as client from 'openid-client'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { eventsSince, type OwnPage, openPage, type Reply } from '../experience/arrange.ts'
import { uploadOf } from '../management/arrange.ts'
import { send } from '../protocol/arrange.ts'
import { createApp, createUser, newBrowser, PASSWORD } from '../sign-in/arrange.ts'
import { withSecondTenant } from '../tenants/second-tenant.ts'
import { beginUpload, drawing, END, fetched, filesOf, MULTIPART, part, photo, said, upload } from './images.ts'

let server: TestServer
let configuration: client.Configuration
beforeAll(async () => {
  server = await startTestServer(inject('cluster'), { ADDRESS_UPLOADS: '12' })
  configuration = (await createApp(server)).configuration
  await server.api('PATCH', '/sign-in-exp', { signUp: { identifiers: ['username'], password: true, verify: false } })
})
afterAll(() => server.close())

const AVATAR = '/user-assets/avatar'
const own = () => ({ origin: new URL(server.baseUrl).origin })
const told = ({ status, body }: Reply) => [status, body.code]
const hour = 3600

const uploadAvatar = (page: OwnPage, file: Buffer<ArrayBuffer>) => page.call('POST', AVATAR, uploadOf(file))

const image = async (color?: string): Promise<Buffer<ArrayBuffer>> =>
  Buffer.from(await drawing(900, 600, color).png().toBuffer())

/** A registration with an avatar, not yet submitted. */
const registering = async (username: string, color?: string) => {
  const page = await openPage(server, configuration)
  await page.start('Register')
  const identifier = { type: 'username', value: username }
  const chosen = await page.call('POST', '/verification/new-password-identity', { identifier, password: PASSWORD })
  expect((await page.call('POST', '/identification', chosen.body)).status).toBe(201)
  const { status, body } = await uploadAvatar(page, await image(color))
  expect(status).toBe(200)
  return { page, url: body.url as string }
}

/** A user who registered with an avatar. */
const registered = async (username: string, color?: string) => {
  const { page, url } = await registering(username, color)
  expect((await page.call('POST', '/submit')).status).toBe(200)
  const [user] = await server.client.listUsers({ query: { 'search.username': username } })
  return { id: user?.id ?? '', avatar: user?.avatar, url }
}

/** Runs the housekeeping of this many hours. */
const wait = async (hours: number) => {
  server.clock.advance(hours * hour)
  await forgetUnusedImages(server.store)
}

test('a file that cannot be deleted keeps no other, and is attempted again', async () => {
  const { files } = server.store.assets
  const [stuck, other] = ['default/000000000000000000000.png', 'default/000000000000000000001.png']
  // a directory of that name, which is no file
  for (const path of [`${stuck}/inside`, other]) await files?.put(path, await image(), 'image/png')
  const now = server.clock.now()
  const waiting = () => server.store.database.kysely.selectFrom('removed_assets').select('path').execute()
  await server.store.database.kysely
    .insertInto('removed_assets')
    .values([stuck, other].map((path, index) => ({ path, removed_at: new Date(now.getTime() + index) })))
    .execute()
  await expect(forgetUnusedImages(server.store)).rejects.toThrow()
  expect([await waiting(), await files?.get(other)]).toEqual([[{ path: stuck }], undefined])
  await files?.remove(`${stuck}/inside`)
  await expect(forgetUnusedImages(server.store)).rejects.toThrow()
  await server.store.database.kysely.deleteFrom('removed_assets').execute()
})

describe('an avatar', () => {
  test('becomes the avatar of the registered account, as a square', async () => {
    const { cursor } = await eventsSince(server)
    const { avatar, url } = await registered('ann')
    expect(avatar).toBe(url)
    const { events } = await eventsSince(server, cursor)
    expect(events.find(({ event }) => event === 'User.Created').data.avatar).toBe(url)
    const { status, headers, bytes } = await fetched(url)
    expect([status, headers.get('content-type')]).toEqual([200, 'image/webp'])
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 512, height: 512 })
  })

  test('is shown in the interaction, and replaced by the next one', async () => {
    const { page, url } = await registering('bob')
    expect((await page.call('GET', '/interaction')).body.profile.avatar).toBe(url)
    const { body } = await uploadAvatar(page, Buffer.from(await photo()))
    expect(body.url).not.toBe(url)
    expect((await page.call('GET', '/interaction')).body.profile.avatar).toBe(body.url)
  })

  test('of a user who signs in replaces the previous one', async () => {
    const { username, id } = await createUser(server)
    const page = await openPage(server, configuration)
    await page.start('SignIn')
    expect(told(await uploadAvatar(page, await image()))).toEqual([404, 'session.identifier_not_found'])
    const { body: proved } = await page.verify(username)
    await page.call('POST', '/identification', proved)
    const { body } = await uploadAvatar(page, await image())
    await page.call('POST', '/submit')
    expect((await server.api('GET', `/users/${id}`)).body.avatar).toBe(body.url)
  })

  test('that is not an image is refused, and the profile is unchanged', async () => {
    const { page, url } = await registering('eve')
    expect(told(await uploadAvatar(page, Buffer.from('<svg/>')))).toEqual([400, 'guard.mime_type_not_allowed'])
    expect((await page.call('GET', '/interaction')).body.profile.avatar).toBe(url)
  })
})

describe('an upload', () => {
  test('is refused from another origin and without Origin, because any form could send it', async () => {
    const page = await openPage(server, configuration)
    await page.start('Register')
    for (const origin of [undefined, 'https://attacker.example', 'null']) {
      const headers: Record<string, string> = origin ? { origin } : {}
      const address = `${server.baseUrl}/api/experience${AVATAR}`
      const sent = await page.browser.open(address, { method: 'POST', headers, body: uploadOf(await image()) })
      expect([sent.status, JSON.parse(sent.text).code]).toEqual([403, 'session.csrf_token_mismatch'])
    }
  })

  test('of a browser without an interaction is not even read', async () => {
    const socket = beginUpload(server, `/api/experience${AVATAR}`, `Origin: ${own().origin}`, 1_000_000)
    expect(await said(socket)).toMatch(/^HTTP\/1.1 400 [\s\S]*connection: close\r\n[\s\S]*session\.not_found/i)
  })

  test('is limited per address', async () => {
    const page = await openPage(server, configuration)
    await page.start('Register')
    const small = Buffer.from(await drawing(2, 2).png().toBuffer())
    const answers: unknown[] = []
    while (answers.length < 13 && answers.at(-1) !== 429) answers.push((await uploadAvatar(page, small)).status)
    expect(answers.at(-1)).toBe(429)
    expect((await uploadAvatar(page, small)).headers.get('retry-after')).toMatch(/^\d+$/)
    server.clock.advance(700)
    expect((await uploadAvatar(page, small)).status).toBe(200)
  })
})

describe('the lifetime of files', () => {
  test('an unused upload is deleted after two hours', async () => {
    const { url } = await registering('gone')
    await wait(1.9)
    expect((await fetched(url)).status).toBe(200)
    await wait(0.2)
    expect((await fetched(url)).status).toBe(404)
  })

  test('an avatar is kept as long as a user has it, and a day longer', async () => {
    const { id, url } = await registered('kim')
    const params = { userId: id }
    await wait(3)
    await wait(300 * 24)
    expect((await fetched(url)).status).toBe(200)
    await server.client.updateUser({ params, body: { avatar: 'https://elsewhere.example/me.png' } })
    await wait(25)
    // found unused, and used again within the day
    await server.client.updateUser({ params, body: { avatar: url } })
    await wait(25)
    expect((await fetched(url)).status).toBe(200)
    await server.client.deleteUser({ params })
    await wait(25)
    expect((await fetched(url)).status).toBe(200)
    await wait(25)
    expect((await fetched(url)).status).toBe(404)
  })

  test('a picture of an operator is kept', async () => {
    const { body } = await upload(server, await image())
    for (const hours of [3, 25, 25 * 24]) await wait(hours)
    expect((await fetched(body.url)).status).toBe(200)
  })

  test('the files of a deleted tenant are deleted', async () => {
    const { b } = await withSecondTenant(server, 'short-lived', 'https://short-lived.example')
    const { body: token } = await b.token()
    const sent = await send(`${server.baseUrl}/api/user-assets`, {
      headers: { host: b.host, authorization: `Bearer ${token.access_token}`, 'content-type': MULTIPART },
      body: Buffer.concat([part('file', await image()), END]),
    })
    const path = new URL(sent.body.url).pathname
    expect((await b.request('GET', path)).status).toBe(200)
    const ofTenant = async () => (await filesOf(server)).filter((name) => name.startsWith('short-lived/'))
    expect(await ofTenant()).toHaveLength(1)
    const { store } = server
    const tenant = await getTenant(store, 'default')
    await perform({ store, tenant, caller: systemCaller('test') }, deleteTenant, 'short-lived')
    await wait(0)
    expect(await ofTenant()).toEqual([])
  })
})

test('a browser without an interaction cannot use one by its address', async () => {
  const { page } = await registering('max')
  const stranger = newBrowser()
  const reply = await stranger.open(`${server.baseUrl}/api/experience${AVATAR}?interaction-id=${page.interactionId}`, {
    method: 'POST',
    headers: own(),
    body: uploadOf(await image()),
  })
  expect([reply.status, JSON.parse(reply.text).code]).toEqual([400, 'session.not_found'])
})
