import { MESSAGE_USAGES, SMTP } from '@countersign/contract/connector-configs.ts'
import { freePort } from '@countersign/harness/free-port.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { type Message, queueMessage } from '@countersign/server/domain/delivery/messages.ts'
import { getTenant } from '@countersign/server/domain/tenants/tenants.ts'
import { systemCaller } from '@countersign/server/kernel/caller.ts'
import { BUILT_IN_LANGUAGES } from '@countersign/server/languages/choice.ts'
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

  test('is stored in the same transaction: a unit that fails sends nothing', async () => {
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

describe('an email template', () => {
  const put = (languageTag: string, templateType: string, details: object) =>
    server.api('PUT', '/email-templates', { templates: [{ languageTag, templateType, details }] })
  afterEach(async () => {
    for (const { id } of (await server.api('GET', '/email-templates')).body)
      await server.api('DELETE', `/email-templates/${id}`)
  })

  test('comes before the connector’s and the server’s text, in the language of the reader', async () => {
    const own = { usageType: 'SignIn', contentType: 'text/plain', subject: 'The connector’s', content: '{{code}}' }
    await arrange({ templates: [own] })
    await put('en-GB', 'SignIn', { subject: 'Colour', content: '<p>{{code}}</p>' })
    await put('de', 'SignIn', {
      subject: 'Anmelden bei {{host}}',
      content: 'Code: {{code}}',
      contentType: 'text/plain',
      replyTo: 'hilfe@mail.example',
      sendFrom: 'Hallo, {{host}}',
    })
    const { host } = new URL(server.baseUrl)
    await queue({ language: 'de' })
    await mailServer.got(1)
    expect(mailServer.mails[0]).toMatchObject({
      subject: `Anmelden bei ${host}`,
      from: { name: `Hallo, ${host}`, address: 'no-reply@mail.example' },
      replyTo: [{ address: 'hilfe@mail.example' }],
      text: expect.stringContaining('Code: 314159'),
    })
    await queue({ language: 'en', variables: { code: '<1>' } })
    await mailServer.got(2)
    expect(mailServer.mails[1]).toMatchObject({ subject: 'Colour', html: expect.stringContaining('<p>&lt;1&gt;</p>') })
    // no language of this usage is left: the one before counts again
    await server.api('DELETE', '/email-templates?templateType=SignIn')
    await queue()
    await mailServer.got(3)
    expect(mailServer.mails[2]?.subject).toBe('The connector’s')
  })

  test('is the one in the fallback language if there is none in the language of the user', async () => {
    await arrange()
    await put('en', 'Generic', { subject: 'Yours', content: '{{code}}' })
    await queue({ usage: 'Generic', language: 'de' })
    await mailServer.got(1)
    expect(mailServer.mails[0]?.subject).toBe('Yours')
  })

  test('is stored, listed, changed in part and deleted', async () => {
    await arrange()
    const details = { subject: 'A', content: 'B {{code}}' }
    const templates = [
      { languageTag: 'en', templateType: 'SignIn', details: { ...details, subject: 'replaced' } },
      { languageTag: 'en', templateType: 'SignIn', details },
      { languageTag: 'en', templateType: 'MagicLink', details },
      { languageTag: 'fr-CA', templateType: 'SignIn', details },
    ]
    const { body: stored } = await server.api('PUT', '/email-templates', { templates })
    expect(stored).toHaveLength(3)
    const [signIn] = (await server.api('GET', '/email-templates?languageTag=en&templateType=SignIn')).body
    expect(signIn).toMatchObject({ languageTag: 'en', templateType: 'SignIn', details, tenantId: 'default' })
    expect((await server.api('GET', `/email-templates/${signIn.id}`)).body).toEqual(signIn)
    const changed = await server.api('PATCH', `/email-templates/${signIn.id}/details`, { contentType: 'text/plain' })
    expect(changed.body).toEqual({ ...signIn, details: { ...details, contentType: 'text/plain' } })
    // what is stored again keeps its id
    const again = await server.api('PUT', '/email-templates', { templates: templates.slice(0, 1) })
    expect(again.body[0].id).toBe(signIn.id)
    expect((await server.api('DELETE', '/email-templates')).status).toBe(400)
    expect((await server.api('DELETE', '/email-templates?languageTag=en')).body).toEqual({ rowCount: 2 })
    expect((await server.api('GET', '/email-templates')).body).toHaveLength(1)
    expect((await server.api('GET', `/email-templates/${signIn.id}`)).status).toBe(404)
    expect((await server.api('PATCH', `/email-templates/${signIn.id}/details`, {})).status).toBe(404)
  })

  test.each([
    ['an invalid language', { languageTag: '../x' }, '/templates/0/languageTag'],
    ['an unknown usage', { templateType: 'Newsletter' }, '/templates/0/templateType'],
    ['a subject of two lines', { details: { subject: 'a\nb', content: 'x' } }, '/templates/0/details/subject'],
    [
      'a sender of two lines',
      { details: { subject: 'a', content: 'x', sendFrom: 'a\nBcc: b' } },
      '/templates/0/details',
    ],
  ])('is refused with %s', async (_what, change, path) => {
    await arrange()
    const template = { languageTag: 'en', templateType: 'SignIn', details: { subject: 'a', content: 'b' }, ...change }
    const { status, body } = await server.api('PUT', '/email-templates', { templates: [template] })
    expect(status).toBe(400)
    expect(body.data.issues[0].path).toContain(path)
  })

  test('is previewed with sample values, which are escaped, and with the names that no message fills', async () => {
    await arrange()
    const preview = async (body: object) => (await server.api('POST', '/email-templates/preview', body)).body
    const own = await preview({ templateType: 'MagicLink', languageTag: 'de' })
    expect(own).toMatchObject({ subject: 'Ihr Link zum Anmelden', unknownVariables: [] })
    expect(own.html).toContain(`href="${server.baseUrl}/sample-link"`)
    expect(own.html + own.text).not.toContain('{{')
    const details = { subject: 'Hi {{name}}', content: '<b>{{code}}</b>{{organizationName}}{{nothing}}', sendFrom: 'X' }
    const variables = { organizationName: 'Bread & <Butter>', name: 'Ann' }
    expect(await preview({ templateType: 'SignIn', details, variables })).toEqual({
      subject: 'Hi Ann',
      html: '<b>123456</b>Bread &amp; &lt;Butter&gt;',
      sendFrom: 'X',
      unknownVariables: ['nothing'],
    })
    await put('en', 'Register', { subject: 'Stored', content: '{{code}}', contentType: 'text/plain' })
    expect(await preview({ templateType: 'Register' })).toEqual({
      subject: 'Stored',
      text: '123456',
      unknownVariables: [],
    })
  })

  test('of the server is complete for each usage in each language, with the code in no subject', async () => {
    await arrange()
    for (const languageTag of BUILT_IN_LANGUAGES)
      for (const templateType of MESSAGE_USAGES) {
        const { body } = await server.api('POST', '/email-templates/preview', { templateType, languageTag })
        const { subject, text, html } = body
        expect(subject).not.toMatch(/123456|\{\{/)
        for (const part of [text, html]) {
          expect(part).not.toContain('{{')
          expect(part).toMatch(/123456|sample-link/)
          expect(part).not.toContain('undefined')
        }
      }
  })
})

describe('a message that cannot be sent immediately', () => {
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

  test('is given up immediately if there is no such address', async () => {
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
