import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import * as client from 'openid-client'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { begin, CALLBACK, createApp, createUser, newBrowser, PASSWORD, redeem, signIn } from './arrange.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())

const push = async (configuration: client.Configuration) => {
  const begun = await begin(configuration)
  const url = await client.buildAuthorizationUrlWithPAR(configuration, Object.fromEntries(begun.url.searchParams))
  return { ...begun, url }
}

test('a pushed request takes the place of the parameters', async () => {
  const { configuration } = await createApp(server)
  const user = await createUser(server)
  const begun = await push(configuration)
  expect([...begun.url.searchParams.keys()].sort()).toEqual(['client_id', 'request_uri'])
  const browser = newBrowser()
  const back = await browser.submit(await browser.open(begun.url), {
    identifier: user.username,
    password: 'correct horse battery',
  })
  expect((await redeem(configuration, back, begun)).claims()?.sub).toBe(user.id)
})

const credentialsOf = ({ username }: { readonly username: string }) => ({ identifier: username, password: PASSWORD })

test('R-1 of 50 concurrent uses of a pushed request on two nodes by signed-in users, one gets a code', async () => {
  const { configuration } = await createApp(server)
  const browser = newBrowser()
  await signIn(browser, await begin(configuration), (await createUser(server)).username)
  const node = await server.startNode()
  const { url } = await push(configuration)
  const headers = { cookie: `countersign-session=${browser.cookie('countersign-session')}` }
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      fetch(url.href.replace(server.baseUrl, index % 2 ? node.url : server.baseUrl), { redirect: 'manual', headers }),
    ),
  )
  expect(answers.filter(({ headers }) => headers.get('location')?.includes('code='))).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(49)
  await node.close()
})

test('a pushed request belongs to its client, and loads for a minute', async () => {
  const { configuration } = await createApp(server)
  const other = await createApp(server)
  const mine = await push(configuration)
  const foreign = new URL(mine.url)
  foreign.searchParams.set('client_id', other.id)
  expect((await fetch(foreign, { redirect: 'manual' })).status).toBe(400)
  expect((await newBrowser().open(mine.url)).url.pathname).toMatch(/^\/sign-in\//)
  server.clock.advance(61)
  // in another browser, although a sign-in is underway
  expect((await newBrowser().open(mine.url)).status).toBe(400)
})

test('RFC 9126 section 4: a pushed request loads again until its code is issued, and never after', async () => {
  const { configuration } = await createApp(server)
  const user = await createUser(server)
  const begun = await push(configuration)
  const browser = newBrowser()
  const first = await browser.open(begun.url)
  // a reload begins the sign-in anew, in the same browser or another
  const second = await browser.open(begun.url)
  const elsewhere = newBrowser()
  const third = await elsewhere.open(begun.url)
  for (const page of [first, second, third]) expect(page.url.pathname).toMatch(/^\/sign-in\//)
  const back = await browser.submit(second, credentialsOf(user))
  expect((await redeem(configuration, back, begun)).claims()?.sub).toBe(user.id)
  expect((await browser.open(begun.url)).status).toBe(400)
  // sign-ins that began before it was used up get no second code
  const late = [await browser.open(`${server.issuer}/auth/${first.url.pathname.split('/').at(-1)}`)]
  late.push(await elsewhere.submit(third, credentialsOf(await createUser(server))))
  for (const page of late) {
    expect(page.status).toBe(400)
    expect(page.url.href).not.toContain('code=')
  }
})

test('a sign-in takes longer than its pushed request loads: back and reload lead to it, and its code is the only one', async () => {
  const { configuration } = await createApp(server)
  const user = await createUser(server)
  const begun = await push(configuration)
  const [browser, other] = [newBrowser(), newBrowser()]
  const [page, beside] = [await browser.open(begun.url), await other.open(begun.url)]
  server.clock.advance(600)
  const again = await browser.open(begun.url)
  expect(again.url.pathname).toBe(page.url.pathname)
  const back = await browser.submit(again, credentialsOf(user))
  expect((await redeem(configuration, back, begun)).claims()?.sub).toBe(user.id)
  const lost = await other.submit(beside, credentialsOf(user))
  expect([lost.status, lost.url.searchParams.has('code')]).toEqual([400, false])
})

test('a refusal at once uses nothing up: without a session, prompt=none is answered again', async () => {
  const { configuration } = await createApp(server)
  const begun = await begin(configuration, { prompt: 'none' })
  const url = await client.buildAuthorizationUrlWithPAR(configuration, Object.fromEntries(begun.url.searchParams))
  for (const _ of [1, 2]) expect((await newBrowser().open(url)).url.searchParams.get('error')).toBe('login_required')
})

test('what the authorization endpoint would refuse is refused when it is pushed', async () => {
  const { configuration } = await createApp(server)
  const parameters = {
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid',
    resource: 'https://unknown.example',
  }
  await expect(client.buildAuthorizationUrlWithPAR(configuration, parameters)).rejects.toMatchObject({
    error: 'invalid_target',
  })
})

test('a request_uri cannot be pushed (RFC 9126 section 2.1)', async () => {
  const { configuration } = await createApp(server)
  const { url } = await push(configuration)
  const { url: request } = await begin(configuration)
  const parameters = {
    ...Object.fromEntries(request.searchParams),
    request_uri: url.searchParams.get('request_uri') ?? '',
  }
  await expect(client.buildAuthorizationUrlWithPAR(configuration, parameters)).rejects.toMatchObject({
    error: 'invalid_request',
    error_description: 'request_uri cannot be pushed',
  })
})

test('a request_uri that is repeated is refused, and uses nothing up', async () => {
  const { configuration } = await createApp(server)
  const { url } = await push(configuration)
  const twice = new URL(url)
  twice.searchParams.append('request_uri', url.searchParams.get('request_uri') ?? '')
  // neither names the address of the application, so there is no one to tell
  expect((await fetch(twice, { redirect: 'manual' })).status).toBe(400)
  twice.searchParams.set('request_uri', '')
  twice.searchParams.append('request_uri', url.searchParams.get('request_uri') ?? '')
  expect((await fetch(twice, { redirect: 'manual' })).status).toBe(400)
  twice.searchParams.set('redirect_uri', CALLBACK)
  const told = new URL((await fetch(twice, { redirect: 'manual' })).headers.get('location') ?? '')
  expect(told.searchParams.get('error')).toBe('invalid_request')
  const asked = await fetch(url, { redirect: 'manual' })
  expect(asked.headers.get('location')).toContain('/sign-in/')
})
