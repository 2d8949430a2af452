/** OpenTelemetry as the guide for operators sets it up: its file, loaded into a server of its own, sends spans by OTLP. */
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createDatabase, withAdmin } from '@countersign/harness/cluster.ts'
import { freePort } from '@countersign/harness/free-port.ts'
import { managementClient, requestToken } from '@countersign/harness/management-client.ts'
import { runProgram } from '@countersign/harness/program.ts'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { type Receiver, startReceiver } from '../events/receiver.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const CLIENT_ERROR = 'connect ECONNREFUSED'
/** Numbers of OTLP. */
const [INTERNAL, SERVER, CLIENT] = [1, 2, 3]
/** The traces of other services, by their request. */
const TRACES = {
  token: 'a'.repeat(32),
  role: 'b'.repeat(32),
  sample: 'c'.repeat(32),
  unreachable: 'd'.repeat(32),
  mail: 'e'.repeat(32),
  nowhere: 'f'.repeat(32),
  status: '1'.repeat(32),
}
const CALLER = '00f067aa0ba902b7'
const NAME = 'a name that must not be in a span'

interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly status: { readonly code?: number }
  readonly attributes: Readonly<Record<string, unknown>>
}

interface ExportedSpans {
  readonly resourceSpans: {
    readonly resource: { readonly attributes: Attribute[] }
    readonly scopeSpans: { readonly spans: (Omit<Span, 'attributes'> & { readonly attributes: Attribute[] })[] }[]
  }[]
}
interface Attribute {
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
}
const valuesOf = (attributes: readonly Attribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

let spans: Span[]
let services: unknown[]
let lines: Record<string, unknown>[]
let hook: Receiver

/** Calls as a service with its own trace. */
const call = (baseUrl: string, token: string, trace: string) => (method: string, path: string, body?: object) =>
  fetch(`${baseUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      traceparent: `00-${trace}-${CALLER}-01`,
      baggage: 'customer=42',
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })

const answers = (ask: () => Promise<Response>, status: number) =>
  vi.waitFor(async () => expect((await ask()).status).toBe(status), { timeout: 60_000, interval: 20 })

beforeAll(async () => {
  const guide = await readFile(join(root, 'docs/guides/operations.md'), 'utf8')
  const [, version] = /@opentelemetry\/sdk-node@(\S+)/.exec(guide) ?? []
  expect(version).toBe(packageJson.devDependencies['@opentelemetry/sdk-node'])
  const [, file = ''] = /^cat > data\/otel\.mjs <<'END'\n([\s\S]*?)^END$/m.exec(guide) ?? []
  const printed = [...guide.matchAll(/\b(OTEL_[A-Z_]+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value])
  const [directory, database, collector] = await Promise.all([
    mkdtemp(join(tmpdir(), 'countersign-traces-')),
    createDatabase(inject('cluster')),
    startReceiver((response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{}')),
  ])
  hook = await startReceiver()
  const DATA_DIR = join(directory, 'data')
  await mkdir(DATA_DIR)
  await writeFile(join(DATA_DIR, 'otel.mjs'), file)
  // where `npm install` puts the SDK
  await symlink(join(root, 'node_modules'), join(directory, 'node_modules'))
  const port = await freePort()
  const program = runProgram(['start'], {
    ...Object.fromEntries(printed),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    NODE_OPTIONS: `--import ${join(DATA_DIR, 'otel.mjs')}`,
    DATA_DIR,
    DATABASE_URL: database.url,
    SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    PORT: String(port),
  })
  try {
    await program.printed('is ready at')
    const baseUrl = `http://localhost:${port}`
    const credentials = JSON.parse(await readFile(join(DATA_DIR, 'management.json'), 'utf8'))
    const api = managementClient(baseUrl, credentials)
    const asked = { resource: credentials.resource, scope: 'all' }
    const { access_token: token } = (await (await requestToken(baseUrl, credentials, asked)).json()) as {
      access_token: string
    }
    const of = (trace: string) => call(baseUrl, token, trace)

    const events = ['Role.Created']
    const created = await api('POST', '/hooks', { name: 'h', events, config: { url: `${hook.url}/h?key=sesame` } })
    await fetch(`${baseUrl}/oidc/token`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${btoa(`${credentials.clientId}:${credentials.clientSecret}`)}`,
        traceparent: `00-${TRACES.token}-${CALLER}-01`,
      },
      body: new URLSearchParams({ grant_type: 'client_credentials', ...asked }),
    })
    await of(TRACES.sample)('POST', `/api/hooks/${created.body.id}/test`, { events, config: { url: `${hook.url}/t` } })
    await hook.got(1)
    await of(TRACES.role)('POST', '/api/roles?a=sesame', { name: NAME, description: '' })
    await hook.got(2)
    const closed = await freePort()
    const config = { url: `http://127.0.0.1:${closed}` }
    await of(TRACES.unreachable)('POST', `/api/hooks/${created.body.id}/test`, { events, config })
    const smtp = { host: '127.0.0.1', port: closed, fromEmail: 'no-reply@example.com' }
    const mail = { email: 'you@example.com', config: smtp }
    await of(TRACES.mail)('POST', '/api/connectors/simple-mail-transfer-protocol/test', mail)
    await of(TRACES.nowhere)('GET', '/nowhere?code=sesame')
    await withAdmin(inject('cluster'), async (client) => {
      await client.query(`ALTER DATABASE ${database.name} ALLOW_CONNECTIONS false`)
      await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [database.name])
      await answers(() => of(TRACES.status)('GET', '/api/status'), 500)
      await client.query(`ALTER DATABASE ${database.name} ALLOW_CONNECTIONS true`)
    })
    await answers(() => fetch(`${baseUrl}/api/status`), 204)
  } finally {
    program.process.kill('SIGTERM')
    await program.ended
    await Promise.all([collector.close(), hook.close(), database.drop()])
    await rm(directory, { recursive: true, force: true })
  }
  // nothing waits for the SDK's interval: spans are flushed at the end
  const exported = collector.received
    .map(({ body }) => JSON.parse(body) as ExportedSpans)
    .flatMap((each) => each.resourceSpans)
  services = exported.map(({ resource }) => valuesOf(resource.attributes)['service.name'])
  spans = exported
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
    .map((span) => ({ ...span, attributes: valuesOf(span.attributes) }))
  lines = program
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{"level"'))
    .map((line) => JSON.parse(line))
})
afterAll(() => hook.close())

const inTrace = (trace: string) => spans.filter(({ traceId }) => traceId === trace)
const serverSpan = (trace: string) => {
  const [span] = inTrace(trace).filter(({ kind }) => kind === SERVER)
  if (!span) throw new Error(`no SERVER span in ${trace}; spans: ${spans.map(({ name }) => name).join()}`)
  return span
}
const clientSpans = (trace: string) =>
  inTrace(trace).filter(({ kind, attributes }) => kind === CLIENT && !('db.system.name' in attributes))

test('a request is a SERVER span in the trace of the caller, named by its route, with its work as child spans', () => {
  expect(new Set(services)).toEqual(new Set(['countersign']))
  const span = serverSpan(TRACES.token)
  expect(span).toMatchObject({ parentSpanId: CALLER, name: 'POST /oidc/token', status: {} })
  expect(span.attributes).toEqual({
    'http.request.method': 'POST',
    'http.route': '/oidc/token',
    'http.response.status_code': 200,
    'url.path': '/oidc/token',
    'url.scheme': 'http',
  })
  // no statement is sent
  const below = inTrace(TRACES.token).filter(({ parentSpanId }) => parentSpanId === span.spanId)
  expect(below.map(({ name, kind }) => [name, kind])).toEqual([['mint', INTERNAL]])
})

test('an unknown path has no route; neither its query nor any other leaves the server', () => {
  const { name, attributes } = serverSpan(TRACES.nowhere)
  expect([name, attributes['url.path'], attributes['http.route']]).toEqual(['GET', '/nowhere', undefined])
  const values = JSON.stringify(spans.map((span) => span.attributes))
  expect(values).not.toContain('sesame')
})

test('statements are CLIENT spans of their request, without values', () => {
  const { spanId } = serverSpan(TRACES.role)
  const statements = inTrace(TRACES.role).filter(({ attributes }) => attributes['db.system.name'] === 'postgresql')
  expect(statements.every((span) => span.kind === CLIENT && span.parentSpanId === spanId)).toBe(true)
  const inserted = statements.find(({ attributes }) => /insert into "roles"/.test(String(attributes['db.query.text'])))
  expect([inserted?.name, inserted?.attributes['db.operation.name']]).toEqual(['INSERT', 'INSERT'])
  expect(JSON.stringify(spans)).not.toContain(NAME)
  // periodic work of the server is not traced
  expect(spans.filter(({ attributes, parentSpanId }) => 'db.system.name' in attributes && !parentSpanId)).toEqual([])
})

test('a request to another service is a CLIENT span, and continues the trace without the baggage of the caller', () => {
  const [sent] = clientSpans(TRACES.sample)
  expect(sent).toMatchObject({ name: 'POST', parentSpanId: serverSpan(TRACES.sample).spanId })
  const { hostname, port } = new URL(hook.url)
  expect(sent?.attributes).toEqual({
    'http.request.method': 'POST',
    'http.response.status_code': 200,
    'server.address': hostname,
    'server.port': Number(port),
    'url.full': `${hook.url}/t`,
  })
  const [sample, delivered] = hook.received.map(({ headers }) => headers)
  expect(sample?.traceparent).toBe(`00-${TRACES.sample}-${sent?.spanId}-01`)
  expect(sample).not.toHaveProperty('baggage')
  // an event is delivered in its own trace: no request waits for it
  const [, trace = '', spanId] = String(delivered?.traceparent).split('-')
  expect(clientSpans(trace)).toMatchObject([{ spanId, name: 'POST', attributes: { 'url.full': `${hook.url}/h` } }])
  expect(Object.values(TRACES)).not.toContain(trace)
})

test('a failure has its error type', () => {
  expect(clientSpans(TRACES.unreachable)).toMatchObject([
    { status: { code: 2 }, attributes: { 'error.type': 'connection' } },
  ])
  expect(clientSpans(TRACES.mail)).toMatchObject([
    { name: 'smtp', status: { code: 2 }, attributes: { 'server.address': '127.0.0.1', 'error.type': 'connect' } },
  ])
  const failed = inTrace(TRACES.status).filter(({ attributes }) => attributes['http.response.status_code'] === 500)
  expect(failed.length).toBeGreaterThan(0)
  for (const { status, attributes } of failed) expect([status.code, attributes['error.type']]).toEqual([2, '500'])
})

test('the lines of the log name the trace and the span', () => {
  const { spanId } = serverSpan(TRACES.token)
  expect(lines.filter(({ trace_id }) => trace_id === TRACES.token)).toMatchObject([{ msg: 'request', span_id: spanId }])
  expect(lines.find(({ trace_id, msg }) => trace_id === TRACES.unreachable && msg !== 'request')).toMatchObject({
    msg: 'a sample could not be sent to a hook',
    err: { message: expect.stringContaining(CLIENT_ERROR) },
  })
})
