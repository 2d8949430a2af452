/** The commands of the guide, run as they are printed. */
import { type Guide, openGuide } from '@countersign/harness/guide.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'

let server: TestServer
let guide: Guide
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  guide = await openGuide('custom-claims', server)
})
afterAll(async () => {
  await guide.close()
  await server.close()
})

test('custom claims, step by step', async () => {
  const printed = await guide.all()
  const [made, tried, kept, denied, failed] = printed
  expect(made).toContain('"team":"billing"')
  expect(tried).toContain('"claims":{"team":"billing","region":"eu"}')
  expect(tried).toContain('{"level":"info","text":"team billing"}')
  expect(kept).toContain('"team":"billing","region":"eu","iss":')
  expect(denied).toContain('"error":"access_denied","error_description":"this application belongs to no team"')
  expect(failed).toContain('"error":"invalid_request"')
  expect(failed).toContain('custom claims: threw: Error: not today')
  expect(printed.join('')).not.toContain('{"code":')
})
