/** Fields of profiles: how operators define them, and that new users are asked for them, on pages and in the Experience API. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import type * as client from 'openid-client'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { readAll } from '../events/feed.ts'
import { type OwnPage, openPage } from '../experience/arrange.ts'
import { drawing } from '../uploads/images.ts'
import { begin, createApp, newBrowser, PASSWORD, redeem } from './arrange.ts'
import type { Page } from './browser.ts'

let server: TestServer
let configuration: client.Configuration
beforeAll(async () => {
  server = await startTestServer(inject('cluster'), { ADDRESS_FAILURES: '1000' })
  configuration = (await createApp(server)).configuration
})
afterAll(() => server.close())

const FIELDS = '/custom-profile-fields'
const define = (body: unknown) => server.api('POST', FIELDS, body)
const listed = async () => (await server.api('GET', FIELDS)).body as { name: string; sieOrder: number }[]
const told = ({ status, body }: { status: number; body: { code: string } }) => [status, body?.code]

beforeEach(async () => {
  for (const { name } of await listed()) await server.api('DELETE', `${FIELDS}/${name}`)
  expect((await server.api('PATCH', '/sign-in-exp', { signUpProfileFields: null })).status).toBe(200)
})

const part = (name: string, required = false, more: object = {}) => ({
  ...{ name, required, enabled: true, type: 'Text' },
  ...more,
})

describe('operators', () => {
  test('create, read, replace, order and delete them', async () => {
    const company = {
      ...{ name: 'company', type: 'Text', label: 'Company', required: true },
      config: { placeholder: 'Acme', minLength: 2, maxValue: 7 },
    }
    const { status, body } = await define(company)
    expect(status).toBe(201)
    expect(body).toEqual({
      ...company,
      ...{ tenantId: 'default', id: expect.stringMatching(/^[0-9a-z]{21}$/), description: null, sieOrder: 1 },
      // what a text does not have is left out
      config: { placeholder: 'Acme', minLength: 2 },
      createdAt: server.clock.now().getTime(),
    })
    expect((await server.api('GET', `${FIELDS}/company`)).body).toEqual(body)
    const batch = [
      { name: 'size', type: 'Number', required: false, config: { minValue: 1 } },
      { name: 'plan', type: 'Select', required: true, config: { options: [{ value: 'free' }] } },
    ]
    expect((await server.api('POST', `${FIELDS}/batch`, batch)).body).toMatchObject([
      { name: 'size', sieOrder: 2, label: '' },
      { name: 'plan', sieOrder: 3 },
    ])
    const order = [
      { name: 'plan', sieOrder: 1 },
      { name: 'company', sieOrder: 3 },
    ]
    const ordered = await server.api('POST', `${FIELDS}/properties/sie-order`, { order })
    expect(ordered.body.map(({ name }: { name: string }) => name)).toEqual(['plan', 'size', 'company'])
    const replaced = { type: 'Url', required: false, description: 'Of the company' }
    expect((await server.api('PUT', `${FIELDS}/company`, replaced)).body).toEqual({
      ...{ ...body, ...replaced, label: '', config: {}, sieOrder: 3 },
    })
    expect((await server.api('DELETE', `${FIELDS}/size`)).status).toBe(204)
    expect((await listed()).map(({ name }) => name)).toEqual(['plan', 'company'])
  })

  const field = (more: object) => ({ name: 'field', type: 'Text', required: false, ...more })
  test.each<[string, object, string]>([
    ['no name', field({ name: '' }), 'name_required'],
    ['a name with a hyphen', field({ name: 'my-field' }), 'invalid_name'],
    ['a field that users sign in with', field({ name: 'primaryEmail' }), 'name_conflict_sign_in_identifier'],
    ['a field that the server sets', field({ name: 'isSuspended' }), 'name_conflict_built_in_prop'],
    ['a built-in property of objects', field({ name: 'constructor' }), 'name_conflict_built_in_prop'],
    ['a nickname that is a number', field({ name: 'nickname', type: 'Number' }), 'name_conflict_built_in_prop'],
    ['a picture that is a string', field({ name: 'avatar' }), 'name_conflict_built_in_prop'],
    ['a minimum above the maximum', field({ config: { minLength: 3, maxLength: 2 } }), 'invalid_min_max_input'],
    [
      'the same for numbers',
      field({ type: 'Number', config: { minValue: 1, maxValue: 0.5 } }),
      'invalid_min_max_input',
    ],
    [
      'a default that is not among the values',
      field({ type: 'Checkbox', config: { defaultValue: 'yes' } }),
      'invalid_default_value',
    ],
    ['nothing to choose from', field({ type: 'Select', config: { options: [] } }), 'invalid_options'],
    ['a choice without options', field({ type: 'Select' }), 'invalid_options'],
    [
      'a duplicate option',
      field({ type: 'Select', config: { options: [{ value: 'a' }, { value: 'a', label: 'A' }] } }),
      'invalid_options',
    ],
    ['no expression', field({ type: 'Regex', config: {} }), 'invalid_regex_format'],
    ['an invalid expression', field({ type: 'Regex', config: { format: '[a-' } }), 'invalid_regex_format'],
    ['an expression with lookahead', field({ type: 'Regex', config: { format: '^(?=a)' } }), 'invalid_regex_format'],
    [
      'an expression with a billion states',
      field({ type: 'Regex', config: { format: '((a{999}){999}){999}' } }),
      'invalid_regex_format',
    ],
    ['an address without parts', field({ type: 'Address', config: { parts: [] } }), 'invalid_address_components'],
    [
      'an address with a first name',
      field({ type: 'Address', config: { parts: [part('givenName')] } }),
      'invalid_address_components',
    ],
    [
      'a name with nothing enabled',
      field({ type: 'Fullname', config: { parts: [part('givenName', false, { enabled: false })] } }),
      'invalid_fullname_components',
    ],
    [
      'a name in an address',
      field({ type: 'Address', config: { parts: [part('country', false, { type: 'Fullname' })] } }),
      'invalid_sub_component_type',
    ],
    ['an unknown date format', field({ type: 'Date', config: { format: 'yy' } }), ''],
    ['a date without a day', field({ type: 'Date', config: { format: 'custom', customFormat: 'yyyy-MM' } }), ''],
    ['a box that must be checked', field({ type: 'Checkbox', required: true }), ''],
    ['an unknown type', field({ type: 'File' }), ''],
  ])('cannot define %s', async (_title, body, code) => {
    const expected = [400, code === '' ? 'guard.invalid_input' : `custom_profile_fields.${code}`]
    expect(told(await define(body))).toEqual(expected)
    // all or none
    expect(told(await server.api('POST', `${FIELDS}/batch`, [field({ name: 'good' }), body]))).toEqual(expected)
    expect(await listed()).toEqual([])
  })

  test('cannot give two fields one name or one place, nor order or ask for what there is not', async () => {
    expect((await define(field({ name: 'one' }))).status).toBe(201)
    expect((await define(field({ name: 'two' }))).status).toBe(201)
    const exists = [400, 'custom_profile_fields.name_exists']
    expect(told(await define(field({ name: 'one' })))).toEqual(exists)
    expect(told(await server.api('POST', `${FIELDS}/batch`, [field({}), field({})]))).toEqual(exists)
    const places = (...order: object[]) => server.api('POST', `${FIELDS}/properties/sie-order`, { order })
    const conflict = [400, 'custom_profile_fields.conflicted_sie_order']
    expect(told(await places({ name: 'one', sieOrder: 2 }))).toEqual(conflict)
    expect(told(await places({ name: 'one', sieOrder: 7 }, { name: 'one', sieOrder: 8 }))).toEqual(conflict)
    const absent = [400, 'custom_profile_fields.entity_not_exists_with_names']
    const unknown = await places({ name: 'three', sieOrder: 7 }, { name: 'one', sieOrder: 8 })
    expect([...told(unknown), unknown.body.data]).toEqual([...absent, { names: 'three' }])
    const asked = (...names: string[]) =>
      server.api('PATCH', '/sign-in-exp', { signUpProfileFields: names.map((name) => ({ name })) })
    expect(told(await asked('one', 'three'))).toEqual(absent)
    expect(told(await asked('one', 'one'))).toEqual([400, 'guard.invalid_input'])
    expect((await server.api('GET', '/sign-in-exp')).body.signUpProfileFields).toBeNull()
  })

  test('choose which are asked for; a deleted one is no longer asked for', async () => {
    await server.api(
      'POST',
      `${FIELDS}/batch`,
      ['one', 'two', 'three'].map((name) => field({ name })),
    )
    const published = async () => {
      const answer = await fetch(`${server.baseUrl}/api/.well-known/sign-in-exp`)
      const { customProfileFields } = (await answer.json()) as { customProfileFields: { name: string }[] }
      return customProfileFields.map(({ name }) => name)
    }
    await expect.poll(published).toEqual(['one', 'two', 'three'])
    const signUpProfileFields = [{ name: 'three' }, { name: 'one' }]
    const { body } = await server.api('PATCH', '/sign-in-exp', { signUpProfileFields })
    expect(body.signUpProfileFields).toEqual(signUpProfileFields)
    await expect.poll(published).toEqual(['three', 'one'])
    await server.api('DELETE', `${FIELDS}/three`)
    await expect.poll(published).toEqual(['one'])
    expect((await server.api('GET', '/sign-in-exp')).body.signUpProfileFields).toEqual([{ name: 'one' }])
  })
})

const ALL = [
  {
    name: 'fullname',
    type: 'Fullname',
    required: true,
    config: { parts: [part('givenName', true), part('familyName')] },
  },
  { name: 'birthdate', type: 'Date', required: false, config: { format: 'MM/dd/yyyy' } },
  { name: 'address', type: 'Address', required: false, config: { parts: [part('locality', true), part('country')] } },
  { name: 'company', type: 'Text', label: 'Company', required: true, config: { minLength: 2, maxLength: 10 } },
  { name: 'employees', type: 'Number', label: 'Employees', required: false, config: { minValue: 1, maxValue: 5000 } },
  { name: 'newsletter', type: 'Checkbox', label: 'Newsletter', required: false, config: { defaultValue: 'true' } },
  {
    ...{ name: 'plan', type: 'Select', label: 'Plan', required: false },
    config: { options: [{ value: 'free', label: 'Free' }, { value: 'paid' }] },
  },
  { name: 'homepage', type: 'Url', label: 'Homepage', required: false },
  { name: 'vat', type: 'Regex', label: 'VAT number', required: false, config: { format: '^[A-Z]{2}\\d{4}$' } },
]
const defineAll = async () => {
  expect((await server.api('POST', `${FIELDS}/batch`, ALL)).status).toBe(201)
}
const userOf = async (id: string | undefined) => (await server.api('GET', `/users/${id}`)).body

let people = 0
const newName = () => {
  people += 1
  return `member_${people}`
}

describe('the Experience API', () => {
  const arrive = async () => {
    const page = await openPage(server, configuration)
    await page.start('Register')
    const identifier = { type: 'username', value: newName() }
    const { body } = await page.call('POST', '/verification/new-password-identity', { identifier, password: PASSWORD })
    expect((await page.call('POST', '/identification', body)).status).toBe(201)
    return page
  }
  const enter = (page: OwnPage, values: unknown) => page.call('POST', '/profile', { type: 'extraProfile', values })
  const submitted = async (page: OwnPage) => {
    const { redirectTo } = (await page.call('POST', '/submit')).body
    return (await redeem(configuration, await page.browser.open(redirectTo), page.begun)).claims()
  }

  test('asks for the fields before the account is created, and stores each value where it belongs', async () => {
    await defineAll()
    const page = await arrive()
    const missing = await page.call('POST', '/submit')
    expect([...told(missing), missing.body.data]).toEqual([
      ...[422, 'user.missing_profile'],
      { missingProfile: ['extraProfile'], missingFields: ['fullname.givenName', 'company'] },
    ])
    // little by little
    expect((await enter(page, { company: ' Acme ', employees: '12,5', plan: 'free' })).status).toBe(204)
    expect((await page.call('POST', '/submit')).body.data.missingFields).toEqual(['fullname.givenName'])
    const rest = {
      ...{ givenName: 'Ada', familyName: 'Lovelace', birthdate: '12/10/1815', newsletter: 'false' },
      ...{ address: { locality: 'London' }, homepage: 'https://ada.example', vat: 'GB1234', nickname: 'A' },
    }
    expect((await enter(page, rest)).status).toBe(204)
    const profile = {
      ...{ givenName: 'Ada', familyName: 'Lovelace', birthdate: '12/10/1815', nickname: 'A' },
      address: { locality: 'London' },
    }
    const customData = {
      ...{ company: 'Acme', employees: 12.5, plan: 'free', newsletter: false },
      ...{ homepage: 'https://ada.example', vat: 'GB1234' },
    }
    expect((await page.call('GET', '/interaction')).body.profile).toMatchObject({
      profile,
      customData,
      submitted: true,
    })
    const { cursor } = await readAll(server.api, '')
    const claims = await submitted(page)
    expect(await userOf(claims?.sub)).toMatchObject({ profile, customData })
    const { events } = await readAll(server.api, cursor)
    expect(events.map(({ event }) => event)).toEqual(['User.Created', 'PostRegister'])
    expect(events[0]).toMatchObject({ data: { profile, customData } })
  })

  test.each<[string, object, object]>([
    ['a text that is too short', { company: 'A' }, { field: 'company', code: 'too_short', limit: 2 }],
    ['a text that is too long', { company: 'x'.repeat(11) }, { field: 'company', code: 'too_long', limit: 10 }],
    ['a number as a string', { company: 7 }, { field: 'company', code: 'text' }],
    ['a string as a number', { employees: '1e9x' }, { field: 'employees', code: 'number' }],
    ['too small a number', { employees: 0 }, { field: 'employees', code: 'too_small', limit: 1 }],
    ['too large a number', { employees: '5000.5' }, { field: 'employees', code: 'too_large', limit: 5000 }],
    ['a day that does not exist', { birthdate: '02/30/2001' }, { field: 'birthdate', code: 'date' }],
    ['a date in another format', { birthdate: '2001-02-03' }, { field: 'birthdate', code: 'date' }],
    ['a box that is half checked', { newsletter: 'maybe' }, { field: 'newsletter', code: 'option' }],
    ['another option', { plan: 'gold' }, { field: 'plan', code: 'option' }],
    ['a script', { homepage: 'javascript:alert(1)' }, { field: 'homepage', code: 'url' }],
    ['a value that does not match', { vat: 'GB12345' }, { field: 'vat', code: 'pattern' }],
    [
      'a name that is too long',
      { givenName: 'x'.repeat(257) },
      { field: 'fullname', part: 'givenName', code: 'too_long' },
    ],
    [
      'a part that is not requested',
      { address: { locality: 'London', region: 'Greater London' } },
      { field: 'address', part: 'region', code: 'unknown' },
    ],
  ])('refuses %s', async (_title, values, issue) => {
    await defineAll()
    const page = await arrive()
    const refused = await enter(page, values)
    expect(told(refused)).toEqual([400, 'guard.invalid_input'])
    if ('givenName' in values) return
    expect(refused.body.data.issues).toEqual([issue])
    expect((await page.call('GET', '/interaction')).body.profile).not.toHaveProperty('customData')
  })

  test('takes no answer for one where nothing is required, but an answer it wants', async () => {
    await define({ name: 'nickname', type: 'Text', required: false })
    const page = await arrive()
    expect((await page.call('POST', '/submit')).body.data).toEqual({
      missingProfile: ['extraProfile'],
      missingFields: [],
    })
    expect((await enter(page, { nickname: ' ' })).status).toBe(204)
    expect((await userOf((await submitted(page))?.sub)).profile).toEqual({})
  })

  test('R-37 an expression and a value that would never end elsewhere are answered', async () => {
    await define({ name: 'evil', type: 'Regex', required: false, config: { format: '^(a|a?)+$' } })
    const page = await arrive()
    expect((await enter(page, { evil: `${'a'.repeat(255)}!` })).body.data.issues).toEqual([
      { field: 'evil', code: 'pattern' },
    ])
    expect((await enter(page, { evil: 'a'.repeat(256) })).status).toBe(204)
    expect((await enter(page, { evil: 'a'.repeat(257) })).body.data.issues[0].code).toBe('too_long')
    for (const name of ['__proto__', 'toString', 'isAdmin']) {
      const refused = await page.call('POST', '/profile', `{"type":"extraProfile","values":{"${name}":"x"}}`)
      expect(told(refused)).toEqual([400, 'guard.invalid_input'])
    }
  })

  test('allows a user who signs in to add data, and keeps the rest', async () => {
    await define({ name: 'plan', type: 'Text', required: true })
    const username = newName()
    const user = { username, password: PASSWORD, customData: { plan: 'free', other: 1 } }
    const { body } = await server.api('POST', '/users', user)
    const page = await openPage(server, configuration)
    await page.start('SignIn')
    await page.call('POST', '/identification', (await page.verify(username)).body)
    expect((await enter(page, { plan: 'paid' })).status).toBe(204)
    expect((await page.call('POST', '/submit')).status).toBe(200)
    expect((await userOf(body.id)).customData).toEqual({ plan: 'paid', other: 1 })
  })
})

describe('the page', () => {
  const problemOf = ({ text }: Page) => /id="problem">([^<]*)</.exec(text)?.[1]
  const arrive = async () => {
    const [browser, begun] = [newBrowser(), await begin(configuration)]
    const page = await browser.open(begun.url)
    const [, link = ''] = /id="register" href="([^"]+)"/.exec(page.text) ?? []
    const username = newName()
    const register = await browser.open(new URL(link, server.baseUrl))
    const next = await browser.submit(register, { identifier: username, password: PASSWORD })
    return { browser, begun, username, page: next }
  }

  test('asks after the password, says what is wrong, and creates the account', async () => {
    await defineAll()
    const { browser, begun, username, page } = await arrive()
    expect(page.url.pathname).toMatch(/^\/extra-profile\//)
    expect(browser.cookie('countersign-session')).toBeUndefined()
    expect((await server.api('GET', `/users?search.username=${username}`)).body).toEqual([])
    expect(page.text).toMatch(/<label for="field-company">Company<\/label>\s*<input type="text" [^>]*required/)
    expect(page.text).toMatch(/<legend>Address \(optional\)<\/legend>/)
    expect(page.text).toMatch(/<label for="field-fullname-familyName">Last name \(optional\)</)
    expect(page.text).toMatch(/<label for="field-address-country">Country</)
    expect(page.text).toMatch(/<option value="paid" >paid<\/option>/)
    expect(page.text).toMatch(/name="field.newsletter" value="true" checked/)
    const answers = {
      ...{ 'field.fullname.givenName': 'Ada', 'field.birthdate': '1815-12-10', 'field.company': 'Acme' },
      ...{ 'field.employees': '12', 'field.plan': 'paid', 'field.address.country': 'UK' },
    }
    const wrong = await browser.submit(page, { ...answers, 'field.company': '"><b>' })
    expect([wrong.status, problemOf(wrong)]).toEqual([422, 'City is required.'])
    expect(wrong.text).toContain('value="&quot;&gt;&lt;b&gt;"')
    expect(wrong.text).toContain('<option value="paid" selected>')
    // an unchecked box is sent as nothing
    expect(wrong.text).not.toMatch(/name="field.newsletter" value="true" checked/)
    const short = await browser.submit(wrong, { ...answers, 'field.company': 'A', 'field.address.country': '' })
    expect([short.status, problemOf(short)]).toEqual([422, 'Company needs at least 2 characters.'])
    expect(short.text).toMatch(/id="field-company"[^>]*aria-invalid="true" aria-describedby="problem"/)
    const back = await browser.submit(short, { ...answers, 'field.address.locality': 'London' })
    const claims = (await redeem(configuration, back, begun)).claims()
    expect(await userOf(claims?.sub)).toMatchObject({
      username,
      profile: { givenName: 'Ada', birthdate: '12/10/1815', address: { locality: 'London', country: 'UK' } },
      customData: { company: 'Acme', employees: 12, plan: 'paid', newsletter: false },
    })
  })

  test('takes a picture as a file, keeps what was typed while it is refused, and stores it with the account', async () => {
    await define({ name: 'avatar', type: 'Url', required: true })
    await define({ name: 'company', type: 'Text', required: true })
    const { browser, begun, page } = await arrive()
    expect(page.text).toMatch(/<label for="file">Picture<\/label>\s*<input id="file" [^>]*required/)
    const send = (
      at: Page,
      file: Uint8Array<ArrayBuffer>,
      more: Readonly<Record<string, string>> = {},
      by = browser,
    ) => {
      const form = new FormData()
      const [, token = ''] = /name="token" value="([^"]*)"/.exec(at.text) ?? []
      for (const [name, value] of Object.entries({ token, 'field.company': 'Acme', ...more })) form.set(name, value)
      form.set('file', new Blob([file]), file.length > 0 ? 'me.png' : '')
      return by.open(at.url, { method: 'POST', body: form })
    }
    const [nothing, sound] = [new Uint8Array(), new Uint8Array(await drawing(20, 20).png().toBuffer())]
    expect((await send(page, sound, { token: 'another' })).status).toBe(400)
    expect((await send(page, sound, { 'field.company': 'A\0' })).status).toBe(400)
    for (const [file, what] of [
      [nothing, 'Picture is required.'],
      [new TextEncoder().encode('<svg/>'), 'This file cannot be used as a picture.'],
    ] as const) {
      const refused = await send(page, file)
      expect([refused.status, problemOf(refused)]).toEqual([422, what])
      expect(refused.text).toContain('value="Acme"')
    }
    for (const excess of [1, 100_000]) {
      const large = await send(page, new Uint8Array(8 * 1024 ** 2 + excess))
      expect([large.status, problemOf(large)]).toEqual([413, 'The file is larger than 8 MB.'])
    }
    expect(problemOf(await send(page, sound, { 'field.company': '' }))).toBe('company is required.')
    const claims = (await redeem(configuration, await send(page, sound), begun)).claims()
    const { avatar, customData } = await userOf(claims?.sub)
    expect([avatar.startsWith(`${server.baseUrl}/assets/default/`), customData]).toEqual([true, { company: 'Acme' }])
    expect((await fetch(avatar)).headers.get('content-type')).toBe('image/webp')
    // none is needed where the field is not required
    await server.api('PUT', `${FIELDS}/avatar`, { type: 'Url', required: false })
    const second = await arrive()
    expect(second.page.text).toContain('<label for="file">Picture (optional)</label>')
    const back = await send(second.page, nothing, {}, second.browser)
    const { sub } = (await redeem(configuration, back, second.begun)).claims() ?? {}
    expect((await userOf(sub)).avatar).toBeNull()
  })

  test('R-33 comes after name and password, in this browser, and takes no form of another', async () => {
    await define({ name: 'company', type: 'Text', required: true })
    const { page, browser } = await arrive()
    const forged = { method: 'POST', body: new URLSearchParams({ 'field.company': 'Acme' }) }
    expect((await browser.open(page.url, forged)).status).toBe(400)
    expect((await newBrowser().open(page.url)).status).toBe(400)
    const fresh = newBrowser()
    const at = await fresh.open((await begin(configuration)).url)
    const early = await fresh.open(at.url.href.replace('/sign-in/', '/extra-profile/'))
    expect(early.url.pathname).toMatch(/^\/register\//)
  })
})
