/** OpenTelemetry: the server makes spans for an SDK that the operator registers. */
import { requestToken } from '@countersign/harness/management-client.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { trace } from '@opentelemetry/api'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'

const exporter = new InMemorySpanExporter()
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
let server: TestServer
beforeAll(async () => {
  trace.setGlobalTracerProvider(provider)
  // its own work would make spans at any moment
  server = await startTestServer(inject('cluster'), { WORKERS: 'off' })
})
afterAll(async () => {
  await server.close()
  // other files run in this process
  trace.disable()
  await provider.shutdown()
})

test('a token request is a request span and a mint span, and no query span when warm', async () => {
  const { credentials, baseUrl } = server
  const ask = () => requestToken(baseUrl, credentials, { resource: credentials.resource, scope: 'all' })
  const spansOfOne = async () => {
    exporter.reset()
    expect((await ask()).status).toBe(200)
    await expect.poll(() => exporter.getFinishedSpans().map(({ name }) => name)).toContain('request')
    return exporter
      .getFinishedSpans()
      .filter(
        ({ name, attributes }) => name !== 'query' || !/audit_log|SELECT 1/.test(String(attributes['db.query.text'])),
      )
  }
  let spans = await spansOfOne()
  const names = async () => {
    spans = await spansOfOne()
    return spans.map(({ name }) => name).sort()
  }
  // a notice of the set-up may come late, and what it names is read once more
  await expect.poll(names).toEqual(['mint', 'request'])
  expect(spans.find(({ name }) => name === 'request')?.attributes).toEqual({
    'http.request.method': 'POST',
    'http.route': '/oidc/token',
    'http.response.status_code': 200,
  })
})

test('statements are query spans that hold no values', async () => {
  exporter.reset()
  await server.api('POST', '/roles', { name: 'a name that must not be in a span', description: '' })
  const texts = exporter
    .getFinishedSpans()
    .filter(({ name }) => name === 'query')
    .map(({ attributes }) => String(attributes['db.query.text']))
  expect(texts.some((text) => /insert into "roles"/.test(text))).toBe(true)
  expect(texts.join()).not.toContain('a name that must not be in a span')
})
