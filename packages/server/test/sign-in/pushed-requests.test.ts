import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import * as client from 'openid-client'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { begin, CALLBACK, createApp, createUser, newBrowser, redeem } from './arrange.ts'

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

test('R-1 of 50 concurrent uses of a pushed request on two nodes, one succeeds', async () => {
  const { configuration } = await createApp(server)
  const node = await server.startNode()
  const { url } = await push(configuration)
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      fetch(url.href.replace(server.baseUrl, index % 2 ? node.url : server.baseUrl), { redirect: 'manual' }),
    ),
  )
  expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(49)
  await node.close()
})

test('a pushed request ends after a minute, and belongs to its client', async () => {
  const { configuration } = await createApp(server)
  const other = await createApp(server)
  const mine = await push(configuration)
  const foreign = new URL(mine.url)
  foreign.searchParams.set('client_id', other.id)
  expect((await fetch(foreign, { redirect: 'manual' })).status).toBe(400)
  server.clock.advance(61)
  expect((await fetch(mine.url, { redirect: 'manual' })).status).toBe(400)
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
