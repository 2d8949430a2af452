/** The commands of the guide, run as they are printed. */
import { type Guide, openGuide } from '@countersign/harness/guide.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'

let server: TestServer
let guide: Guide
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  guide = await openGuide('machine-to-machine', server)
})
afterAll(async () => {
  await guide.close()
  await server.close()
})

test('tokens for machines, step by step', async () => {
  const printed = await guide.all()
  expect(printed.length).toBeGreaterThan(4)
  expect(printed[3]).toContain('"scope":"read:orders"')
  expect(printed[4]).toContain('no role of the subject holds a permission')
  expect(printed[5]).toContain('"access_token"')
  expect(printed[5]).toContain('"scope":""')
  expect(printed.join('')).not.toMatch(/"code":|"error":/)
})
