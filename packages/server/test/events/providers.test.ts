import { createHash, createHmac } from 'node:crypto'
import { MESSAGE_USAGES, type MessageKind } from '@countersign/contract/connector-configs.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import type { Carrier } from '@countersign/server/domain/delivery/connector-configs.ts'
import { connectorFactory } from '@countersign/server/domain/delivery/connector-factories.ts'
import { type Message, queueMessage } from '@countersign/server/domain/delivery/messages.ts'
import { getTenant } from '@countersign/server/domain/tenants/tenants.ts'
import { signedHeaders } from '@countersign/server/events/aws-signature.ts'
import { sendTestMessage } from '@countersign/server/events/messages.ts'
import { createOutbound } from '@countersign/server/events/outbound.ts'
import { isGsm, renderSms } from '@countersign/server/events/sms-text.ts'
import { systemCaller } from '@countersign/server/kernel/caller.ts'
import { BUILT_IN_LANGUAGES } from '@countersign/server/languages/choice.ts'
import { operation, perform } from '@countersign/server/storage/unit-of-work.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { DOCUMENTED, SECRET } from './provider-answers.ts'
import { type ProviderRequest, startProvider, type TestProvider } from './provider-server.ts'
import { failedOnce, queueEmpty, wakeWorkers } from './receiver.ts'

let server: TestServer
let provider: TestProvider
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  provider = await startProvider()
})
afterAll(async () => {
  await provider.close()
  await server.close()
})
beforeEach(() => {
  provider.requests.length = 0
})

let count = 0
const phone = () => `+49309018${1000 + count}`
/** Tries a configuration with an address that no message went to before. */
const tryOut = (kind: MessageKind, config: object) => {
  count++
  // audit entries are in the order of their time
  server.clock.advance(1)
  const recipient = { email: `somebody${count}@example.com`, phone: phone() }
  return server.api('POST', `/connectors/${kind}/test`, { ...recipient, config })
}

/** What the log says when a message is sent so. */
const loggedOf = async (carrier: Carrier): Promise<string> => {
  const logged: string[] = []
  const warn = ({ err }: { err: Error }) => void logged.push(err.message)
  const store = { ...server.store, log: { ...server.store.log, warn } as typeof server.store.log }
  const outbound = createOutbound({ allow: { hosts: [], ranges: [] }, allowLoopback: true })
  const tenant = await getTenant(server.store, 'default')
  const channel = connectorFactory(carrier.kind)?.type === 'Sms' ? 'Sms' : 'Email'
  await sendTestMessage(store, outbound)(tenant, channel, carrier, channel === 'Email' ? 'a@b.example' : '4930901820')
  return logged.join()
}

/** The signature as the provider computes it from what it got. */
const awsSignature = ({ method, path, headers, text }: ProviderRequest): string => {
  const { authorization = '' } = headers
  const [, day = '', region = '', service = '', names = ''] =
    /Credential=AKIAEXAMPLE\/(\d+)\/([\w-]+)\/(\w+)\/aws4_request, SignedHeaders=([\w;-]+)/.exec(authorization) ?? []
  const lines = names.split(';').map((name) => `${name}:${String(headers[name])}`)
  const hash = (value: string) => createHash('sha256').update(value).digest('hex')
  const canonical = [method, path, '', ...lines, '', names, hash(text)].join('\n')
  const mac = (key: string | Buffer, value: string) => createHmac('sha256', key).update(value).digest()
  const key = mac(mac(mac(mac(`AWS4${SECRET}`, day), region), service), 'aws4_request')
  const scope = `${day}/${region}/${service}/aws4_request`
  return mac(key, ['AWS4-HMAC-SHA256', String(headers['x-amz-date']), scope, hash(canonical)].join('\n')).toString(
    'hex',
  )
}

describe.each(DOCUMENTED.map((each) => [each.kind, each] as const))('%s', (kind, documented) => {
  const { path, headers, body, taken, refused } = documented
  const config = () => ({ ...documented.config, endpoint: provider.endpoint })

  test('gets the request that it documents', async () => {
    provider.answers(taken)
    expect((await tryOut(kind, config())).status).toBe(204)
    expect(provider.requests).toHaveLength(1)
    const [request] = provider.requests as [ProviderRequest]
    expect(request).toMatchObject({ method: 'POST', path, headers, body })
    // what has no value is left out
    expect(request.text).not.toMatch(/\{\{|undefined|null/)
    if (kind.startsWith('aws-')) expect(request.headers.authorization).toContain(`Signature=${awsSignature(request)}`)
  })

  test.each(refused)(
    'that answers a failure: %s, with nothing of the answer but in the log',
    async (failure, reply) => {
      provider.answers(reply)
      const { status, body: told } = await tryOut(kind, config())
      expect(status).toBe(400)
      expect(told).toMatchObject({ code: 'connector.general', data: { kind: failure } })
      expect(JSON.stringify(told)).not.toMatch(new RegExp(`${SECRET}|no:`))
      const { body: logs } = await server.api('GET', '/logs?logKey=ManagementApi.testConnector&page_size=1')
      expect(logs[0].payload).toMatchObject({ result: 'Error', kind: failure, error: told.data.reason })
      const logged = await loggedOf({ kind, config: config() } as Carrier)
      expect(logged).toContain(`answered ${reply.status}`)
      expect(logged).not.toMatch(new RegExp(`${SECRET}|123456`))
    },
  )
})

describe('a connector of any other provider', () => {
  test('gets all that there is as JSON, with the header of the connector', async () => {
    provider.answers({ status: 200 })
    const config = {
      endpoint: `${provider.endpoint}/send`,
      authorization: 'Bearer x',
      headers: { 'x-from': '{{type}}' },
    }
    expect((await tryOut('http-email', { ...config, fromEmail: 'Example <a@mail.example>' })).status).toBe(204)
    expect(provider.requests[0]).toMatchObject({
      method: 'POST',
      path: '/send',
      headers: { authorization: 'Bearer x', 'x-from': 'Generic', 'content-type': 'application/json' },
      body: {
        to: `somebody${count}@example.com`,
        type: 'Generic',
        locale: 'en',
        payload: { code: '123456', minutes: '10' },
        subject: 'Your verification code',
        text: expect.stringContaining('123456'),
        html: expect.stringContaining('123456'),
      },
    })
  })

  test.each<readonly [what: string, config: { method?: string; [name: string]: unknown }, path: string, text: string]>([
    ['GET', { method: 'GET' }, '/send?to=%2BDIGITS&q=a%26b%20123456', ''],
    ['text', { contentType: 'text/plain', body: 'SMS {{to}}: {{code}} {{nothing}}' }, '/send', 'SMS +DIGITS: 123456 '],
    ['JSON', { body: '{"t":"{{text}}"}' }, '/send', '{"t":"a&b \\"1\\" 123456\\n"}'],
    [
      'a form',
      {
        contentType: 'application/x-www-form-urlencoded',
        method: 'PUT',
        body: { n: '{{digits}}', t: '{{text}}', none: '{{x}}' },
      },
      '/send',
      'n=DIGITS&t=a%26b+%221%22+123456%0A',
    ],
  ])('sends %s, with values in the encoding of their place', async (_what, config, path, text) => {
    provider.answers({ status: 200 })
    const query = config.method === 'GET' ? '?to={{to}}&q={{text}}' : ''
    const content = config.method === 'GET' ? 'a&b {{code}}' : 'a&b "1" {{code}}\n'
    const templates = [{ usageType: 'Generic', content }]
    const { status } = await tryOut('http-sms', { endpoint: `${provider.endpoint}/send${query}`, templates, ...config })
    expect(status).toBe(204)
    const digits = phone().slice(1)
    expect(provider.requests[0]).toMatchObject({
      method: config.method ?? 'POST',
      path: path.replace('DIGITS', digits),
      text: text.replace('DIGITS', digits),
    })
  })

  test('recognizes success as its configuration says', async () => {
    const config = { endpoint: provider.endpoint, success: { statuses: [200], pointer: '/ok/0', values: ['true'] } }
    for (const [reply, status] of [
      [{ status: 200, body: { ok: [true] } }, 204],
      [{ status: 200, body: { ok: [false] } }, 400],
      [{ status: 201, body: { ok: [true] } }, 400],
      [{ status: 200, body: 'ok' }, 400],
    ] as const) {
      provider.answers(reply)
      expect((await tryOut('http-sms', config)).status).toBe(status)
    }
  })

  test('R-31 is not followed elsewhere', async () => {
    provider.answers({ status: 302, headers: { location: `${provider.endpoint}/elsewhere` } })
    expect((await tryOut('http-sms', { endpoint: provider.endpoint })).body.data.kind).toBe('protocol')
    expect(provider.requests).toHaveLength(1)
  })

  test('that is not there: the kind says so', async () => {
    const { body } = await tryOut('http-sms', { endpoint: 'http://127.0.0.1:1' })
    expect(body.data).toEqual({ kind: 'connect', reason: 'the provider cannot be reached' })
  })

  test('needs the recipient of its type', async () => {
    const config = { endpoint: provider.endpoint }
    expect((await server.api('POST', '/connectors/http-sms/test', { email: 'a@b.example', config })).status).toBe(400)
    expect((await server.api('POST', '/connectors/http-email/test', { phone: '+49 30 901820', config })).status).toBe(
      400,
    )
  })

  test('sends at most ten messages in ten minutes to one recipient', async () => {
    provider.answers({ status: 200 })
    const send = () =>
      server.api('POST', '/connectors/http-sms/test', {
        phone: '+493023125000',
        config: { endpoint: provider.endpoint },
      })
    for (let sent = 0; sent < 10; sent++) expect((await send()).status).toBe(204)
    const { status, body } = await send()
    expect([status, body.code]).toEqual([429, 'request.message_rate_limited'])
    expect(provider.requests).toHaveLength(10)
  })
})

describe('a queued text message', () => {
  const sends = operation([], async (unit, message: Message) => queueMessage(unit, message, 600))
  const queue = async (change: Partial<Message> = {}) => {
    const tenant = await getTenant(server.store, 'default')
    await perform({ store: server.store, tenant, caller: systemCaller('test') }, sends, {
      recipient: '4930901820',
      usage: 'SignIn',
      variables: { code: '314159', minutes: '10' },
      ...change,
    })
  }
  const audited = async () => (await server.api('GET', '/logs?logKey=System.sendSms&page_size=1')).body[0].payload
  const connected = async (config: object = {}) => {
    server.clock.advance(1)
    const sound = { endpoint: provider.endpoint, body: { to: '{{to}}', text: '{{text}}' }, ...config }
    await server.api('POST', '/connectors', { connectorId: 'http-sms', config: sound })
  }

  test('arrives in the language of the recipient, and a browser fills in its code', async () => {
    await connected()
    provider.answers({ status: 200 })
    await queue({ language: 'de' })
    await provider.got(1)
    const { host, hostname } = new URL(server.baseUrl)
    expect(provider.requests[0]?.body).toEqual({
      to: '+4930901820',
      text: `314159 ist Ihr Code zum Anmelden bei ${host}. Geben Sie ihn nicht weiter.\n\n@${hostname} #314159`,
    })
    await queueEmpty(server.store)
    expect(await audited()).toMatchObject({ result: 'Success', usage: 'SignIn', attempts: 1 })
  })

  test('is sent again when the provider is back, and given up when it refuses the number', async () => {
    await connected()
    provider.answers({ status: 503 })
    await queue()
    await failedOnce(server.store)
    provider.answers({ status: 200 })
    server.clock.advance(7)
    await wakeWorkers(server.store)
    await provider.got(2)
    await queueEmpty(server.store)
    expect(await audited()).toMatchObject({ result: 'Success', attempts: 2 })
    provider.answers({ status: 422, body: 'no such number' })
    server.clock.advance(1)
    await queue()
    await queueEmpty(server.store)
    expect(await audited()).toMatchObject({ result: 'Error', attempts: 1, error: 'the provider refused the message' })
  })

  test('is given up when there is no connector for it', async () => {
    const { body } = await server.api('GET', '/connectors')
    for (const { id } of body) await server.api('DELETE', `/connectors/${id}`)
    server.clock.advance(1)
    await queue()
    await queueEmpty(server.store)
    expect(await audited()).toMatchObject({ result: 'Error', error: 'the tenant has no SMS connector' })
  })
})

describe('a code that an operator sends', () => {
  const send = (recipient: object) => server.api('POST', '/verification-codes', recipient)
  const verify = (recipient: object, verificationCode: string) =>
    server.api('POST', '/verification-codes/verify', { ...recipient, verificationCode })
  /** The code of the request that came last, of so many in all. */
  const codeOf = async (count: number) => {
    await provider.got(count)
    return String(provider.requests.at(-1)?.body.code)
  }
  const wrong = (code: string) => (code === '000000' ? '000001' : '000000')
  beforeAll(async () => {
    const config = { endpoint: provider.endpoint, body: { to: '{{to}}', code: '{{code}}' } }
    for (const connectorId of ['http-sms', 'http-email'])
      await server.api('POST', '/connectors', { connectorId, config })
  })

  test.each([
    ['an address', { email: 'somebody@example.com' }, { email: 'SomeBody@example.com' }, 'somebody@example.com'],
    ['a number', { phone: '+49 30 2312 5000' }, { phone: '+49 (0)30 23125000' }, '+493023125000'],
  ])('proves %s once, also of 20 attempts at the same time', async (_what, recipient, writtenOtherwise, to) => {
    server.clock.advance(601)
    provider.answers({ status: 200 })
    expect((await send(recipient)).status).toBe(204)
    const code = await codeOf(1)
    expect(provider.requests[0]?.body).toEqual({ to, code: expect.stringMatching(/^\d{6}$/) })
    expect((await verify(recipient, wrong(code))).body.code).toBe('verification_code.code_mismatch')
    const answers = await Promise.all(Array.from({ length: 20 }, () => verify(writtenOtherwise, code)))
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1)
    expect((await verify(recipient, code)).body.code).toBe('verification_code.not_found')
  })

  test('is void after another, after ten wrong ones, and when it has expired', async () => {
    server.clock.advance(601)
    const recipient = { email: 'other@example.com' }
    await send(recipient)
    const first = await codeOf(1)
    await send(recipient)
    const second = await codeOf(2)
    if (first !== second) expect((await verify(recipient, first)).status).toBe(400)
    server.clock.advance(600)
    expect((await verify(recipient, second)).body.code).toBe('verification_code.expired')
    await send(recipient)
    const third = await codeOf(3)
    for (let attempt = 0; attempt < 10; attempt++) await verify(recipient, wrong(third))
    expect((await verify(recipient, third)).body.code).toBe('verification_code.exceed_max_try')
  })

  test('is sent to one recipient at most ten times in ten minutes; no event reports it, because no end user sent it', async () => {
    server.clock.advance(601)
    const recipient = { phone: '+493023125001' }
    for (let sent = 0; sent < 10; sent++) expect((await send(recipient)).status).toBe(204)
    const { status, body, headers } = await send(recipient)
    expect([status, body.code]).toEqual([429, 'request.message_rate_limited'])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    const { body: feed } = await server.api('GET', '/events')
    expect(JSON.stringify(feed)).not.toContain('Message.RateLimited')
    await provider.got(10)
  })

  test('needs one recipient, and a connector that carries it', async () => {
    for (const body of [{}, { email: 'a@example.com', phone: '+493023125000' }, { email: 'nobody' }])
      expect((await send(body)).status).toBe(400)
    expect((await send({ phone: '12' })).status).toBe(422)
    for (const { id } of (await server.api('GET', '/connectors')).body) await server.api('DELETE', `/connectors/${id}`)
    expect((await send({ email: 'a@example.com' })).status).toBe(501)
    expect((await send({ phone: '+493023125000' })).status).toBe(501)
  })
})

describe('the texts of text messages', () => {
  const tenant = { baseUrl: 'https://login.example.com' } as Parameters<typeof renderSms>[1]
  const variables = { code: '123456', minutes: '10', link: 'https://login.example.com/x', organizationName: 'Example' }
  const GSM_LANGUAGES: ReadonlySet<string> = new Set(['de', 'en', 'fr', 'it', 'nl'])

  test.each(BUILT_IN_LANGUAGES)(
    'are short and complete, and one message where the GSM alphabet suffices: %s',
    async (language) => {
      for (const usage of MESSAGE_USAGES) {
        const text = await renderSms([], tenant, { usage, variables, language })
        expect(text).not.toContain('{{')
        expect(text).toMatch(/123456|https:/)
        // two messages of Unicode hold 67 characters each
        expect([usage, text.length <= (isGsm(text) ? 160 : 134)]).toEqual([usage, true])
        expect([usage, isGsm(text) || !GSM_LANGUAGES.has(language)]).toEqual([usage, true])
      }
    },
  )
})

test('a request is signed as the examples of AWS are', () => {
  const key = {
    accessKeyId: 'AKIDEXAMPLE',
    accessKeySecret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
    region: 'us-east-1',
  }
  const now = new Date('2015-08-30T12:36:00Z')
  const url = 'https://example.amazonaws.com/'
  const vanilla = signedHeaders({ method: 'GET', url, headers: {}, body: undefined }, 'service', key, now)
  expect(vanilla).toEqual({
    'x-amz-date': '20150830T123600Z',
    authorization:
      'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
  })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const form = signedHeaders({ method: 'POST', url, headers, body: 'Param1=value1' }, 'service', key, now)
  expect(form.authorization).toContain('ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a')
})
