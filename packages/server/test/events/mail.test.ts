import { SMTP } from '@countersign/contract/connector-configs.ts'
import { freePort } from '@countersign/harness/free-port.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { type Message, queueMessage } from '@countersign/server/domain/delivery/messages.ts'
import { getTenant } from '@countersign/server/domain/tenants/tenants.ts'
import { systemCaller } from '@countersign/server/kernel/caller.ts'
import { operation, perform } from '@countersign/server/storage/unit-of-work.ts'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { managementToken } from '../management/arrange.ts'
import { configOf, type MailServer, startMailServer } from '../management/mail.ts'
import { failedOnce, queued, queueEmpty, wakeWorkers } from './receiver.ts'

let server: TestServer
let mailServer: MailServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterEach(async () => {
  await queueEmpty(server.store)
  await mailServer.close()
})
afterAll(() => server.close())

/** A mail server, and a connector that sends through it. */
const arrange = async (config: object = {}, options: Parameters<typeof startMailServer> = []) => {
  mailServer = await startMailServer(...options)
  // audit entries are in the order of their time
  server.clock.advance(1)
  await server.api('POST', '/connectors', { connectorId: SMTP, config: { ...configOf(mailServer), ...config } })
}

const work = async () => {
  const tenant = await getTenant(server.store, 'default')
  return { store: server.store, tenant, caller: systemCaller('test') }
}
const message = (change: Partial<Message> = {}): Message => ({
  recipient: 'somebody@example.com',
  usage: 'SignIn',
  variables: { code: '314159', minutes: '10' },
  ...change,
})
const sends = operation([], async (unit, one: Message) => queueMessage(unit, one, 600))
const queue = async (change: Partial<Message> = {}) => perform(await work(), sends, message(change))

const audited = async () => {
  const token = await managementToken(server, 'all')
  const { body } = await server.api('GET', '/logs?logKey=System.sendMail&page_size=1', undefined, { token })
  return body[0].payload
}

describe('a queued message', () => {
  test.each([
    ['SignIn', 'Your sign-in code'],
    ['Register', 'Your registration code'],
    ['ForgotPassword', 'Your code to set a new password'],
    ['Generic', 'Your verification code'],
  ] as const)('for %s arrives as text and as HTML, with the code in both', async (usage, subject) => {
    await arrange()
    await queue({ usage })
    await mailServer.got(1)
    const [mail] = mailServer.mails
    const { host, hostname } = new URL(server.baseUrl)
    expect(mail).toMatchObject({ subject, recipients: ['somebody@example.com'] })
    for (const body of [mail?.text, mail?.html]) {
      expect(body).toContain('314159')
      expect(body).toContain(host)
      expect(body).not.toContain('{{')
    }
    expect(mail?.messageId).toMatch(new RegExp(`^<[0-9a-z]{21}@${hostname}>$`))
    expect(mail?.headers).toContainEqual(expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }))
    await queueEmpty(server.store)
    expect(await audited()).toMatchObject({ result: 'Success', usage, attempts: 1 })
    expect(JSON.stringify(await audited())).not.toContain('314159')
  })

  test.each([
    ['de', {}, 'Ihr Code zum Anmelden', 'Er gilt 10 Minuten.'],
    [undefined, { autoDetect: true, fallbackLanguage: 'de-AT' }, 'Ihr Code zum Anmelden', 'Er gilt 10 Minuten.'],
    ['en', { autoDetect: true, fallbackLanguage: 'de' }, 'Your sign-in code', 'valid for 10 minutes.'],
  ] as const)(
    'is in the language of the recipient (%j), else in that of the tenant',
    async (language, info, subject, note) => {
      await arrange()
      await server.api('PATCH', '/sign-in-exp', { languageInfo: { autoDetect: true, fallbackLanguage: 'en', ...info } })
      await queue(language === undefined ? {} : { language })
      await mailServer.got(1)
      const [mail] = mailServer.mails
      expect(mail).toMatchObject({ subject, text: expect.stringContaining(note) })
      expect(mail?.html).toContain(`<html lang="${subject.startsWith('Ihr') ? 'de' : 'en'}" dir="ltr">`)
      await server.api('PATCH', '/sign-in-exp', { languageInfo: { autoDetect: true, fallbackLanguage: 'en' } })
    },
  )

  test('for an invitation carries its link', async () => {
    await arrange()
    const link = `${server.baseUrl}/invitation?token=a&b=c`
    await queue({ usage: 'OrganizationInvitation', variables: { link, organizationName: 'Bread & Butter' } })
    await mailServer.got(1)
    expect(mailServer.mails[0]?.text).toContain(link)
    expect(mailServer.mails[0]?.html).toContain(`href="${link.replace('&', '&amp;')}"`)
    expect(mailServer.mails[0]?.html).toContain('Bread &amp; Butter')
  })

  test('exists with what caused it: a unit that fails sends nothing', async () => {
    await arrange()
    const fails = operation([], async (unit) => {
      queueMessage(unit, message({ variables: { code: 'never' } }), 600)
      throw new Error('no')
    })
    await expect(perform(await work(), fails)).rejects.toThrow('no')
    await queue()
    await mailServer.got(1)
    await queueEmpty(server.store)
    expect(mailServer.mails.map(({ text }) => text?.includes('314159'))).toEqual([true])
  })

  test('is sealed in the queue', async () => {
    await arrange({}, [
      { onRcptTo: (_address, _session, done) => done(Object.assign(new Error('later'), { responseCode: 451 })) },
    ])
    await queue()
    await failedOnce(server.store)
    const [row] = await server.store.database.kysely.selectFrom('dispatches').selectAll().execute()
    const sealed = row?.sealed_payload.toString('latin1')
    expect(sealed).not.toContain('314159')
    expect(sealed).not.toContain('somebody')
    server.clock.advance(601)
    await wakeWorkers(server.store)
  })

  test('takes the text of the connector, in which values are text and nothing else', async () => {
    const code = `<b>"1"</b> {{host}} & 'x'\r\nBcc: evil@example.com`
    const template = {
      usageType: 'SignIn',
      contentType: 'text/html',
      subject: '{{ code }}',
      content: '<p>{{code}}|{{nothing}}|{{host}}</p>',
    }
    await arrange({ templates: [template], replyTo: 'help@mail.example' })
    await queue({ variables: { code } })
    await mailServer.got(1)
    const [mail] = mailServer.mails
    expect(mail?.subject).toBe(`<b>"1"</b> {{host}} & 'x' Bcc: evil@example.com`)
    expect(mail?.recipients).toEqual(['somebody@example.com'])
    expect(mail?.headers.map(({ key }) => key)).not.toContain('bcc')
    expect(mail?.html).toContain('&lt;b&gt;&quot;1&quot;&lt;/b&gt; {{host}} &amp; &#39;x&#39;')
    expect(mail?.html).toContain(`||${new URL(server.baseUrl).host}</p>`)
    expect(mail?.replyTo).toEqual([{ address: 'help@mail.example', name: '' }])
    expect(mail?.text).toBeUndefined()
  })

  test('is not read as HTML when the template is plain text', async () => {
    const template = { usageType: 'SignIn', contentType: 'text/plain', subject: 'Code', content: 'Take {{code}} & go' }
    await arrange({ templates: [template] })
    await queue({ variables: { code: '<1>' } })
    await mailServer.got(1)
    expect(mailServer.mails[0]?.text?.trim()).toBe('Take <1> & go')
    expect(mailServer.mails[0]?.html).toBeUndefined()
  })

  test.each(['{{__proto__}}', '{{constructor}}', '{{toString}}'])('has no variable %s', async (content) => {
    await arrange({
      templates: [{ usageType: 'SignIn', contentType: 'text/plain', subject: 'Code', content: `[${content}]` }],
    })
    await queue()
    await mailServer.got(1)
    expect(mailServer.mails[0]?.text?.trim()).toBe('[]')
  })

  test.each([
    'nobody',
    'a@example.com,b@example.com',
    'a@example.com\r\nRCPT TO:<b@example.com>',
    '"x" <a@example.com>',
  ])('cannot be for %j', async (recipient) => {
    await arrange()
    await expect(queue({ recipient })).rejects.toThrow()
    expect(await queued(server.store)).toEqual([])
  })

  test('R-25 cannot carry a link to another host', async () => {
    await arrange()
    for (const link of [
      'https://evil.example/',
      `${server.baseUrl}.evil.example/`,
      `${server.baseUrl}@evil.example/`,
      '/x',
      '',
    ]) {
      await expect(queue({ variables: { link } })).rejects.toThrow('must begin with the base URL')
    }
  })
})

describe('a message that cannot be sent at once', () => {
  test('is sent when the mail server is back', async () => {
    const port = await freePort()
    await arrange({}, [{}, port])
    await mailServer.close()
    await queue()
    await failedOnce(server.store)
    mailServer = await startMailServer({}, port)
    server.clock.advance(7)
    await wakeWorkers(server.store)
    await mailServer.got(1)
    await queueEmpty(server.store)
    expect(await audited()).toMatchObject({ result: 'Success', attempts: 2 })
  })

  test('is given up at once when there is no such address', async () => {
    await arrange({}, [
      { onRcptTo: (_address, _session, done) => done(Object.assign(new Error('no such user'), { responseCode: 550 })) },
    ])
    await queue()
    await queueEmpty(server.store)
    expect(await audited()).toMatchObject({
      result: 'Error',
      attempts: 1,
      error: 'the mail server refused the recipient',
    })
  })

  test('is given up when its code has expired', async () => {
    const port = await freePort()
    await arrange({}, [{}, port])
    await mailServer.close()
    await queue()
    await failedOnce(server.store)
    mailServer = await startMailServer({}, port)
    server.clock.advance(600)
    await wakeWorkers(server.store)
    await queueEmpty(server.store)
    expect(await audited()).toMatchObject({ result: 'Error', error: 'it expired before it could be sent' })
    expect(mailServer.mails).toEqual([])
  })

  test('is given up when there is no connector', async () => {
    await arrange()
    const { body } = await server.api('GET', '/connectors', undefined, { token: await managementToken(server, 'all') })
    await server.api('DELETE', `/connectors/${body[0].id}`)
    await queue()
    await queueEmpty(server.store)
    expect(await audited()).toMatchObject({ result: 'Error', error: 'the tenant has no mail connector' })
  })
})
