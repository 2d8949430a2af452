/** The hosted account pages in a browser without JavaScript. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { codeOf } from '../factors/arrange.ts'
import { codeIn, connectMailServer } from '../management/mail.ts'
import { CALLBACK, createApp, newBrowser, PASSWORD } from '../sign-in/arrange.ts'
import type { Page } from '../sign-in/browser.ts'
import { drawing } from '../uploads/images.ts'
import { openAccountCenter } from './arrange.ts'
import { Authenticator } from './authenticator.ts'
import { change, changeIn, confirm, enterAs, enter as enterTo, pageAt } from './pages-arrange.ts'

const OTHER = 'a wholly different phrase'
const NEW = 'many small green lanterns'

let server: TestServer
let app: string
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  await openAccountCenter(server)
  await server.api('PATCH', '/sign-in-exp', {
    mfa: { factors: ['Totp', 'BackupCode', 'WebAuthn'], policy: 'NoPrompt' },
  })
  app = (await createApp(server, 'SPA')).id
})
afterAll(() => server?.close())

const at = (path: string) => pageAt(server, path)
const enter = (path?: string) => enterTo(server, path)
const enterAgain = async (username: string, path: string) => (await enterAs(server, username, path)).browser

describe('the account pages', () => {
  test('ask for a sign-in and lead back', async () => {
    const { page, browser, username } = await enter('/security')
    expect([page.status, page.url.href]).toEqual([200, at('/security').href])
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect((await browser.open(at('/profile'))).text).toContain(username)
  })

  test('take a link that was sent to the user, once, whoever is signed in', async () => {
    const mail = await connectMailServer(server)
    const email = 'linked@example.com'
    await server.api('POST', '/users', { username: 'linked', primaryEmail: email, password: PASSWORD })
    const context = { interactionEvent: 'ForgotPassword' }
    const { body } = await server.api('POST', '/one-time-tokens', { email, context })
    const link = at('/security')
    link.search = new URLSearchParams({ one_time_token: body.token, login_hint: email }).toString()
    const { browser } = await enter()
    const form = await browser.submit(await browser.open(link), {})
    expect(form.url.pathname).toMatch(/^\/reset-password\//)
    const changed = await browser.submit(form, { password: NEW })
    expect(changed.text).toContain('Your password was changed')
    const entered = await browser.submit(changed, { identifier: 'linked', password: NEW })
    expect([entered.status, entered.url.href]).toEqual([200, at('/security').href])
    expect((await browser.open(at('/profile'))).text).toContain('linked')
    expect((await browser.open(link)).url.href).toBe(at('/security').href)
    const elsewhere = await newBrowser().open(link)
    expect(elsewhere.url.pathname).not.toContain('/account')
    await mail.close()
  })

  test('are not there while the account center is off', async () => {
    const { browser } = await enter()
    await openAccountCenter(server, { enabled: false })
    expect((await browser.open(at('/profile'))).status).toBe(404)
    await openAccountCenter(server)
  })

  test('change the name without more, and nothing without the token of the form', async () => {
    const { browser, page, id } = await enter()
    const saved = await browser.submit(page, { 'field.name': 'Ada', 'field.nickname': 'al' })
    expect(saved.text).toContain('id="notice"')
    expect((await server.api('GET', `/users/${id}`)).body).toMatchObject({ name: 'Ada', profile: { nickname: 'al' } })
    const refused = await browser.submit(saved, { 'field.name': 'Eve', token: 'no' })
    expect(refused.status).toBe(400)
    expect((await server.api('GET', `/users/${id}`)).body.name).toBe('Ada')
  })

  test('change the profile: its claims, and the fields of the tenant by their rules', async () => {
    const { browser, id } = await enter()
    const user = async () => (await server.api('GET', `/users/${id}`)).body
    const claims = {
      website: 'https://ada.example/',
      birthdate: '1815-12-10',
      zoneinfo: 'Europe/London',
      locale: 'en-GB',
    }
    const address = { formatted: 'By the river', locality: 'London', country: 'UK' }
    await server.api('PATCH', `/users/${id}`, { profile: { ...claims, address }, customData: { other: 1 } })
    const first = await browser.open(at('/profile'))
    const shown = Object.fromEntries(
      [...first.text.matchAll(/name="field\.([\w.]+)"[^>]* value="([^"]*)"/g)].flatMap(([, name = '', value]) =>
        value === '' ? [] : [[name, value]],
      ),
    )
    expect(shown).toEqual({ ...claims, 'address.locality': 'London', 'address.country': 'UK' })
    const typed = Object.fromEntries(Object.entries(shown).map(([name, value]) => [`field.${name}`, value]))
    // what was not touched stays as it is
    await browser.submit(first, { ...typed, 'field.gender': 'female', 'field.website': '' })
    const { website: _removed, ...left } = claims
    expect((await user()).profile).toEqual({ ...left, gender: 'female', address })
    const unsound = await browser.submit(first, { ...typed, 'field.zoneinfo': 'not one', 'field.gender': '' })
    expect([unsound.status, unsound.text.includes('aria-invalid')]).toEqual([422, true])
    const team = { name: 'team', type: 'Select', required: true, config: { options: [{ value: 'a' }, { value: 'b' }] } }
    const news = { name: 'news', label: 'News <b>', type: 'Checkbox', required: false, config: {} }
    await server.api('POST', '/custom-profile-fields/batch', [team, news])
    await openAccountCenter(server, { profileFields: [{ name: 'news' }, { name: 'team' }] })
    const own = await browser.open(at('/profile'))
    expect([...own.text.matchAll(/ name="field\.(\w+)"/g)].map(([, name]) => name)).toEqual(['name', 'news', 'team'])
    expect(own.text).toContain('News &lt;b&gt;')
    expect((await browser.submit(own, { 'field.team': 'c' })).status).toBe(422)
    await browser.submit(own, { 'field.team': 'b', 'field.news': 'true' })
    expect((await user()).customData).toEqual({ other: 1, team: 'b', news: true })
    const lost = await browser.submit(await browser.open(at('/profile')), { 'field.team': '', 'field.news': 'true' })
    expect([lost.status, lost.text.includes('team is required.')]).toEqual([422, true])
    await openAccountCenter(server, { fields: { customData: 'ReadOnly', profile: 'ReadOnly', name: 'Off' } })
    const readOnly = await browser.open(at('/profile'))
    expect([readOnly.text.includes('id="profile"'), readOnly.text.includes('<strong>team</strong>')]).toEqual([
      false,
      true,
    ])
    await openAccountCenter(server, { profileFields: null })
    for (const { name } of [team, news]) await server.api('DELETE', `/custom-profile-fields/${name}`)
  })

  test('take a picture, say what is wrong with a file, and take the picture away', async () => {
    const { browser, id } = await enter()
    const avatar = async () => (await server.api('GET', `/users/${id}`)).body.avatar
    const page = await browser.open(at('/picture'))
    const [, token = ''] = /name="token" value="([^"]*)"/.exec(page.text) ?? []
    const send = (bytes: Uint8Array<ArrayBuffer>, formToken = token) => {
      const form = new FormData()
      form.set('token', formToken)
      form.set('file', new Blob([bytes], { type: 'image/png' }), 'me.png')
      return browser.open(at('/picture'), { method: 'POST', body: form })
    }
    const sound = new Uint8Array(await drawing(20, 20).png().toBuffer())
    expect((await send(sound, 'another')).status).toBe(400)
    const noImage = await send(new TextEncoder().encode('<svg/>'))
    expect([noImage.status, noImage.text.includes('This file cannot be used as a picture.')]).toEqual([422, true])
    for (const excess of [1, 100_000]) {
      const large = await send(new Uint8Array(8 * 1024 ** 2 + excess))
      expect([large.status, large.text.includes('The file is larger than 8 MB.')]).toEqual([413, true])
    }
    expect(await avatar()).toBeNull()
    const saved = await send(sound)
    expect(saved.url.href).toBe(at('/profile?saved=1').href)
    const address = await avatar()
    expect(saved.text).toContain(`src="${address}"`)
    expect((await fetch(address)).headers.get('content-type')).toMatch(/^image\//)
    // nothing is loaded from elsewhere
    await server.api('PATCH', `/users/${id}`, { avatar: 'https://elsewhere.example/me.png' })
    expect((await browser.open(at('/profile'))).text).not.toContain('elsewhere.example')
    const removed = await browser.submit(page, {})
    expect([removed.url.pathname, await avatar()]).toEqual(['/account/profile', null])
    await openAccountCenter(server, { fields: { avatar: 'ReadOnly' } })
    expect((await send(sound)).url.pathname).toBe('/account/profile')
    expect(await avatar()).toBeNull()
    await openAccountCenter(server)
  })

  test('change the password after a proof, which one change uses up', async () => {
    const { browser, page } = await enter('/security')
    const asked = await browser.open(changeIn(page, 'password'))
    expect(asked.url.pathname).toBe('/account/confirm')
    const wrong = await confirm(browser, asked, 'wrong')
    expect([wrong.status, wrong.url.pathname]).toEqual([422, '/account/confirm'])
    const form = await confirm(browser, wrong)
    expect(form.url.pathname).toBe('/account/change/password')
    expect((await browser.submit(form, { password: 'short' })).status).toBe(422)
    const saved = await browser.submit(form, { password: OTHER })
    expect(saved.url.href).toBe(at('/security?saved=1').href)
    // the session stays, the proof is gone
    expect((await browser.submit(form, { password: PASSWORD })).url.pathname).toBe('/account/confirm')
  })

  test('add an authenticator app, replace it by another, add backup codes, and remove them', async () => {
    const { browser, page, id } = await enter('/security')
    const follow = (from: Page, name: string) => change(browser, from, name)
    const form = await follow(page, 'totp')
    const secret = (/id="key">([^<]*)</.exec(form.text)?.[1] ?? '').replaceAll(' ', '')
    const wrong = await browser.submit(form, { code: '000' })
    expect([wrong.status, wrong.text.includes(secret.slice(0, 4))]).toEqual([422, true])
    const added = await browser.submit(wrong, { code: codeOf(server, secret) })
    expect(added.status).toBe(200)
    const other = await follow(added, 'replace-totp')
    const newKey = (/id="key">([^<]*)</.exec(other.text)?.[1] ?? '').replaceAll(' ', '')
    // until the new app is proved the present one stays
    server.clock.advance(30)
    const notProved = await browser.submit(other, { code: codeOf(server, secret) })
    const factors = async () => (await server.api('GET', `/users/${id}/mfa-verifications`)).body
    const [before] = await factors()
    expect([notProved.status, notProved.text.includes(newKey.slice(0, 4))]).toEqual([422, true])
    const replaced = await browser.submit(notProved, { code: codeOf(server, newKey) })
    expect(replaced.url.pathname).toBe('/account/security')
    const [after] = await factors()
    expect(after.id).not.toBe(before.id)
    const codes = await follow(replaced, 'backup-codes')
    const both = await browser.submit(codes, {})
    expect((await factors()).map(({ type }: { type: string }) => type)).toEqual(['Totp', 'BackupCode'])
    const gone = await browser.submit(await follow(both, 'remove-factor'), {})
    expect(gone.url.pathname).toBe('/account/security')
    expect(await factors()).toEqual([])
  })

  test('end other sessions', async () => {
    const { browser, username } = await enter('/sessions')
    const second = await enterAgain(username, '/profile')
    const list = await browser.open(at('/sessions'))
    const form = await change(browser, list, 'end-others')
    expect((await browser.submit(form, {})).url.pathname).toBe('/account/sessions')
    expect((await second.open(at('/profile'))).url.pathname).toMatch(/^\/(sign-in|select-account)\//)
    expect((await browser.open(at('/profile'))).url.pathname).toBe('/account/profile')
  })

  test('lead back to an application at an address that is registered for it, and to no other', async () => {
    const { browser } = await enter()
    const back = async (returnTo: string) =>
      /id="back" href="([^"]*)"/.exec(
        (await browser.open(at(`/security?client_id=${app}&return_to=${encodeURIComponent(returnTo)}`))).text,
      )?.[1]
    expect(await back('https://app.example/bye')).toBe('https://app.example/bye')
    expect((await browser.open(at('/profile'))).text).toContain('href="https://app.example/bye"')
    expect(await back('https://evil.example/')).toBe(new URL('/', CALLBACK).href)
    expect(await back('javascript:alert(1)')).toBe(new URL('/', CALLBACK).href)
  })

  test('add a passkey, which then proves who the user is, and rename it', async () => {
    const { browser, page } = await enter('/security')
    const authenticator = new Authenticator(server.baseUrl)
    const optionsOf = ({ text }: Page) =>
      JSON.parse((/data-passkey="([^"]*)"/.exec(text)?.[1] ?? '').replaceAll('&quot;', '"').replaceAll('&amp;', '&'))
    const form = await change(browser, page, 'passkey')
    const made = JSON.stringify({ ...authenticator.create(optionsOf(form)), type: 'public-key' })
    const added = await browser.submit(form, { payload: made, name: 'Phone' })
    expect(added.text).toContain('<strong>Phone</strong>')
    const asked = await browser.open(changeIn(added, 'rename-passkey'))
    const byPasskey = await browser.open(`${asked.url}&way=passkey`)
    const nothing = await browser.submit(byPasskey, {})
    expect([nothing.status, nothing.url.pathname]).toEqual([422, '/account/confirm'])
    const payload = JSON.stringify({ ...authenticator.get(optionsOf(byPasskey)), type: 'public-key' })
    const rename = await browser.submit(byPasskey, { payload })
    expect(rename.url.pathname).toBe('/account/change/rename-passkey')
    expect((await browser.submit(rename, { name: 'Laptop' })).text).toContain('<strong>Laptop</strong>')
  })

  test('change the email address with a code, which then proves who the user is', async () => {
    const mail = await connectMailServer(server)
    try {
      const { browser, page, id } = await enter()
      const form = await change(browser, page, 'email')
      const primaryEmail = `${id}@example.com`
      const sent = await browser.submit(form, { identifier: primaryEmail })
      await mail.got(1)
      const wrong = await browser.submit(sent, { code: 'no' })
      expect([wrong.status, wrong.text.includes('id="code"')]).toEqual([422, true])
      expect((await browser.submit(wrong, { code: codeIn(mail) })).url.pathname).toBe('/account/profile')
      expect((await server.api('GET', `/users/${id}`)).body).toMatchObject({ primaryEmail })
      const asked = await browser.open(at('/change/password'))
      const code = await browser.submit(await browser.open(`${asked.url}&way=email`), {})
      await mail.got(2)
      expect((await browser.submit(code, { code: 'no' })).status).toBe(422)
      expect((await browser.submit(code, { code: codeIn(mail) })).url.pathname).toBe('/account/change/password')
    } finally {
      await mail.close()
    }
  })

  test('make a token, which is shown once, rename it, and remove it', async () => {
    const { browser, page, id } = await enter('/tokens')
    const form = await change(browser, page, 'new-token')
    expect((await browser.submit(form, { name: 'job', until: '2001-01-01' })).status).toBe(422)
    const made = await browser.submit(form, { name: 'nightly job', until: '' })
    expect(/id="value">(pat_[^<]*)</.exec(made.text)?.[1]).toMatch(/^pat_\w+/)
    const list = await browser.open(at('/tokens'))
    expect([list.text.includes('nightly job'), list.text.includes('pat_')]).toEqual([true, false])
    const rename = await change(browser, list, 'rename-token')
    expect((await browser.submit(rename, { name: '  ' })).status).toBe(422)
    const renamed = await browser.submit(rename, { name: 'weekly job' })
    expect([renamed.text.includes('weekly job'), renamed.text.includes('nightly job')]).toEqual([true, false])
    await browser.submit(await change(browser, renamed, 'remove-token'), {})
    expect((await server.api('GET', `/users/${id}/personal-access-tokens`)).body).toEqual([])
  })

  test('give the data as a file, and end the account', async () => {
    await openAccountCenter(server, { deleteAccountUrl: 'https://app.example/leave' })
    const { browser, page: elsewhere, id, username } = await enter('/data')
    expect(elsewhere.text).toContain('id="delete-account" href="https://app.example/leave"')
    await openAccountCenter(server, { deleteAccountUrl: null })
    const page = await browser.open(at('/data'))
    const form = await change(browser, page, 'download-data')
    const file = await browser.submit(form, {})
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="account.json"')
    expect(JSON.parse(file.text)).toMatchObject({ user: { id, username } })
    await openAccountCenter(server, { deletionDelayDays: 0 })
    const last = await change(browser, page, 'delete-account')
    expect((await browser.submit(last, {})).status).toBe(200)
    expect((await server.api('GET', `/users/${id}`)).status).toBe(404)
    await openAccountCenter(server, { deletionDelayDays: 14 })
  })

  test('show organizations, and accept an invitation to the verified address alone', async () => {
    const { id, browser } = await enter('/organizations')
    const { body: organization } = await server.api('POST', '/organizations', { name: 'Analysts' })
    const invite = async (invitee: string) => {
      const body = { organizationId: organization.id, invitee, expiresAt: server.clock.now().getTime() + 86_400_000 }
      return (await server.api('POST', '/organization-invitations', { ...body, messagePayload: false })).body.id
    }
    const own = await invite(`${id}@example.com`)
    const other = await invite('other@example.com')
    await server.api('PATCH', `/users/${id}`, { primaryEmail: `${id}@example.com` })
    expect((await browser.open(at(`/invitation?id=${own}`))).status).toBe(400)
    await server.store.database.pool.query('UPDATE users SET email_verified_at = created_at WHERE id = $1', [id])
    expect((await browser.open(at(`/invitation?id=${other}`))).status).toBe(400)
    const answer = await browser.open(at(`/invitation?id=${own}`))
    const joined = await browser.submit(answer, { answer: 'accept' })
    expect(joined.text).toContain('<strong>Analysts</strong>')
    expect((await server.api('GET', `/users/${id}/organizations`)).body).toMatchObject([{ id: organization.id }])
  })

  test('act on no other user, and not on what the settings do not let users change', async () => {
    const { browser } = await enter()
    const { body } = await server.api('GET', `/users/${(await enter()).id}/sessions`)
    const other = at(`/change/end-session?id=${body.sessions[0].payload.uid}`)
    expect((await confirm(browser, await browser.open(other))).status).toBe(400)
    await openAccountCenter(server, { fields: { password: 'ReadOnly', name: 'ReadOnly', session: 'Off' } })
    expect((await browser.open(at('/change/password'))).url.pathname).toBe('/account/security')
    const profile = await browser.open(at('/profile'))
    expect([profile.text.includes('id="field-name"'), profile.text.includes('id="to-applications"')]).toEqual([
      false,
      false,
    ])
    await openAccountCenter(server)
  })

  test('a proof of one session counts in no other', async () => {
    const { browser, username, page } = await enter('/security')
    const second = await enterAgain(username, '/security')
    const address = changeIn(page, 'password')
    expect((await confirm(browser, await browser.open(address))).url.pathname).toBe('/account/change/password')
    expect((await second.open(address)).url.pathname).toBe('/account/confirm')
  })
})
