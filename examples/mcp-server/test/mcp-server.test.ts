import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { freePort } from '@countersign/harness/free-port.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import {
  type DocumentServer,
  startDocumentServer,
} from '../../../packages/server/test/registered-clients/document-server.ts'
import { newBrowser } from '../../../packages/server/test/sign-in/arrange.ts'
import { clientMetadata, withNotes } from '../notes-client.ts'
import { notesServer } from '../notes-server.ts'
import { setUp } from '../setup.ts'

let server: TestServer
let documents: DocumentServer
let audience: string
let listener: ReturnType<ReturnType<typeof notesServer>['listen']>
beforeAll(async () => {
  documents = await startDocumentServer()
  server = await startTestServer(inject('cluster'))
  const port = await freePort()
  audience = `http://localhost:${port}/mcp`
  await setUp({ ...server.credentials, baseUrl: server.baseUrl }, audience)
  listener = notesServer({ issuer: server.issuer, audience }).listen(port)
  await once(listener, 'listening')
  expect((listener.address() as AddressInfo).port).toBe(port)
})
afterAll(async () => {
  listener.closeAllConnections()
  listener.close()
  await server.close()
  await documents.close()
})

/** A person with a browser, who registers at first and allows what is asked; remembers what was asked. */
const person = (name: string) => {
  const browser = newBrowser('http://127.0.0.1')
  const seen: string[] = []
  const asked: URL[] = []
  const open = async (address: URL) => {
    asked.push(address)
    let page = await browser.open(address)
    if (page.text.includes('id="register"')) {
      const [, register = ''] = /<a id="register" href="([^"]+)"/.exec(page.text) ?? []
      page = await browser.open(new URL(register, server.baseUrl))
    }
    if (page.text.includes('id="password"'))
      page = await browser.submit(page, { identifier: name, password: 'a long enough phrase' })
    seen.push(page.text)
    const back = await browser.submit(page, { answer: 'allow' })
    expect(back.url.href).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback\?/)
    await fetch(back.url)
  }
  return { open, seen, asked }
}

test('a client of the SDK that publishes a document signs its user in, and asks again for what a tool needs', async () => {
  const document = documents.put('/notes/client.json', { ...clientMetadata('http://127.0.0.1/callback') })
  const { open, seen, asked } = person('ada_with_document')
  const content = await withNotes({ server: audience, document, open }, async (client) => {
    await client.callTool({ name: 'add_note', arguments: { text: 'Buy apples' } })
    const result = await client.callTool({ name: 'list_notes' })
    return result.content
  })
  expect(content).toEqual([{ type: 'text', text: 'Buy apples' }])
  expect(asked.map(({ searchParams }) => [searchParams.get('client_id'), searchParams.get('resource')])).toEqual([
    [document, audience],
    [document, audience],
  ])
  const [first, second] = asked.map(({ searchParams }) => searchParams.get('scope')?.split(' ') ?? [])
  expect(first).toContain('notes:read')
  expect(first).not.toContain('notes:write')
  expect(second).toEqual(expect.arrayContaining(['notes:read', 'notes:write']))
  for (const page of seen) expect(page).toContain('id="loopback"')
  expect(documents.asked).toEqual(['/notes/client.json'])
})

test('one without a document registers, if the server lets it', async () => {
  const { open, asked } = person('ada_without_document')
  const content = await withNotes({ server: audience, open }, async (client) => {
    const result = await client.callTool({ name: 'list_notes' })
    return result.content
  })
  expect(content).toEqual([{ type: 'text', text: 'There are no notes.' }])
  expect(asked).toHaveLength(1)
  expect(asked[0]?.searchParams.get('client_id')).toMatch(/^[0-9a-z]{21}$/)
})

test('nobody else gets in: without a token, and with one for another API', async () => {
  const call = (headers: Record<string, string> = {}) => fetch(audience, { method: 'POST', headers })
  const refused = await call()
  expect(refused.status).toBe(401)
  const metadata = audience.replace('/mcp', '/.well-known/oauth-protected-resource/mcp')
  expect(refused.headers.get('www-authenticate')).toBe(`Bearer scope="notes:read", resource_metadata="${metadata}"`)
  const { clientId, clientSecret, resource } = server.credentials
  const issued = await fetch(`${server.issuer}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', resource, scope: 'all' }),
  })
  const { access_token } = (await issued.json()) as { access_token: string }
  expect((await call({ authorization: `Bearer ${access_token}` })).status).toBe(401)
})
