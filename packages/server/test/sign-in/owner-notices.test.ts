/**
 * Messages to the owner of an account (DECISIONS T11, T12): every change that is told, what is not, and what "this was not me" does and
 * does not do.
 */
import { OWNER_NOTICES } from '@countersign/contract/owner-notices.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import type * as client from 'openid-client'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { newUser, openAccountCenter } from '../account/arrange.ts'
import { readAll } from '../events/feed.ts'
import { queueEmpty } from '../events/receiver.ts'
import { openPage } from '../experience/arrange.ts'
import { addTotp, identifyBy, useFactors } from '../factors/arrange.ts'
import { connect, connectSso, newPerson, startProvider, visit, visitSso } from '../federation/arrange.ts'
import { codeIn, connectMailServer, type MailServer } from '../management/mail.ts'
import { begin, createApp, createUser, newBrowser, redeem, signIn } from './arrange.ts'

const NEW = 'a wholly different phrase'
const ALL = { enabled: true, kinds: [...OWNER_NOTICES], byAdministrators: true }

let server: TestServer
let mail: MailServer
let configuration: client.Configuration
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  mail = await connectMailServer(server)
  configuration = (await createApp(server)).configuration
})
beforeEach(() => server.api('PATCH', '/sign-in-exp', { ownerNotices: {} }))
afterAll(async () => {
  await server.close()
  await mail.close()
})

afterEach(() => queueEmpty(server.store))

let people = 0
const person = async (domain = 'example.com') => {
  const user = await createUser(server)
  people += 1
  const email = `owner${people}@${domain}`
  await server.api('PATCH', `/users/${user.id}`, { primaryEmail: email })
  await server.store.database.pool.query('UPDATE users SET email_verified_at = now() WHERE id = $1', [user.id])
  return { ...user, email, path: `/users/${user.id}` }
}

/** What has been mailed since there were so many: to whom, and the beginning of the text; sorted, because mails overtake one another. */
const told = async (before: number) => {
  await queueEmpty(server.store)
  return mail.mails
    .slice(before)
    .map(({ recipients, text }) => [recipients[0], text?.split(/ of your account| at /)[0]])
    .sort()
}

const linkIn = (place = -1): string => /http\S+\/not-me\?token=\S+/.exec(mail.mails.at(place)?.text ?? '')?.[0] ?? ''
const tokenOf = (link: string): string => new URL(link).searchParams.get('token') ?? ''
const press = (token: string, more: Record<string, string> = {}) => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = new URLSearchParams({ token, ...more })
  return fetch(`${server.baseUrl}/not-me`, { method: 'POST', headers: form, body })
}
/** Presses the button; returns what the form that follows brings back with a code. */
const pressed = async (token: string) => {
  const before = mail.mails.length
  const answer = await press(token)
  const text = await answer.text()
  const sent = /name="sent" value="([^"]*)"/.exec(text)?.[1]
  if (sent !== undefined) await mail.got(before + 1)
  const enter = async (code: string, password?: string) => {
    const done = await press(token, { sent: sent ?? '', code, ...(password === undefined ? {} : { password }) })
    return [done.status, await done.text()] as const
  }
  return { status: answer.status, text, sent, enter, code: sent === undefined ? '' : codeIn(mail) }
}

describe('a change by an administrator', () => {
  const changes = async ({ path }: { path: string }) => {
    const { api } = server
    await api('PATCH', `${path}/password`, { password: NEW })
    await api('PATCH', path, { primaryPhone: '12025550171' })
    const { body: factor } = await api('POST', `${path}/mfa-verifications`, { type: 'Totp' })
    await api('POST', `${path}/mfa-verifications`, { type: 'BackupCode' })
    const { body: factors } = await api('GET', `${path}/mfa-verifications`)
    expect([typeof factor.secret, factors.length]).toEqual(['string', 2])
    const totp = factors.find(({ type }: { type: string }) => type === 'Totp')
    await api('DELETE', `${path}/mfa-verifications/${totp.id}`)
    await api('PUT', `${path}/identities/github`, { userId: path })
    await api('DELETE', `${path}/identities/github`)
    await api('POST', `${path}/personal-access-tokens`, { name: 'one' })
    await api('PATCH', path, { name: 'No one is told of this' })
    await api('PATCH', path, { primaryEmail: 'new@example.com' })
  }

  test('is told only by setting, each kind by itself, at the address before the change', async () => {
    const [before, silent, loud] = [mail.mails.length, await person(), await person()]
    await changes(silent)
    await server.api('PATCH', '/sign-in-exp', { ownerNotices: { ...ALL, kinds: ['phoneChanged'] } })
    const { body } = await server.api('GET', '/sign-in-exp')
    expect(body.ownerNotices).toEqual({ ...ALL, kinds: ['phoneChanged'] })
    await server.api('DELETE', silent.path)
    await server.api('PATCH', loud.path, { primaryPhone: '12025550179', customData: {} })
    await server.api('PATCH', '/sign-in-exp', { ownerNotices: ALL })
    await changes(loud)
    expect(await told(before)).toEqual(
      [
        'The phone number',
        'The password',
        'The phone number',
        'A step was added to the two-step verification',
        'New backup codes were created for your account',
        'A step was removed from the two-step verification',
        'Your account',
        'The link',
        'A personal access token was created for your account',
        'The email address',
      ]
        .sort()
        .map((text) => [loud.email, text]),
    )
    // an address that no one has verified may be another person's
    await server.api('PATCH', loud.path, { primaryPhone: null })
    expect(await told(before)).toHaveLength(10)
  })

  test('is told at most ten times in ten minutes', async () => {
    await server.api('PATCH', '/sign-in-exp', { ownerNotices: ALL })
    const [before, { path }] = [mail.mails.length, await person()]
    for (let n = 0; n < 12; n += 1) await server.api('PATCH', path, { primaryPhone: `120255501${10 + n}` })
    expect(await told(before)).toHaveLength(10)
    server.clock.advance(600)
    await server.api('PATCH', path, { primaryPhone: null })
    expect(await told(before)).toHaveLength(11)
  })
})

describe('what a user does', () => {
  test('a new account is no change, a new factor and a new password are; in the language of the profile', async () => {
    const before = mail.mails.length
    const { email, path } = await person()
    await server.api('PATCH', `${path}/profile`, { profile: { locale: 'de-AT' } })
    const browser = newBrowser()
    const page = await browser.open((await begin(configuration)).url)
    const [, link = ''] = /id="forgot-password" href="([^"]+)"/.exec(page.text) ?? []
    const sent = await browser.submit(await browser.open(new URL(link, server.baseUrl)), { identifier: email })
    await mail.got(before + 1)
    await browser.submit(sent, { code: codeIn(mail), password: NEW })
    await mail.got(before + 2)
    expect(mail.mails.at(-1)).toMatchObject({
      recipients: [email],
      subject: 'Ihr Konto wurde geändert',
      text: expect.stringContaining('Das Passwort Ihres Kontos'),
      html: expect.stringContaining('Das war ich nicht'),
    })
  })

  test('through the Account API is told: whoever has a token may not be the owner', async () => {
    await openAccountCenter(server)
    const before = mail.mails.length
    const { id: appId } = await createApp(server, 'SPA')
    const { userId, change } = await newUser(server, appId, {
      primaryEmail: 'account@example.com',
      primaryPhone: '12025550166',
    })
    await server.store.database.pool.query('UPDATE users SET email_verified_at = now() WHERE id = $1', [userId])
    await change('POST', '/my-account/personal-access-tokens', { name: 'one' })
    await change('DELETE', '/my-account/primary-phone')
    await change('POST', '/my-account/password', { password: NEW })
    expect(await told(before)).toEqual(
      ['A personal access token was created for your account', 'The password', 'The phone number'].map((text) => [
        'account@example.com',
        text,
      ]),
    )
  })

  test('a sign-in from a new browser is told, the first one ever and those from known ones are not', async () => {
    const [before, { id, username, email }] = [mail.mails.length, await person()]
    const known = newBrowser()
    const open = () => begin(configuration, { prompt: 'login' })
    await signIn(known, await open(), username)
    await signIn(known, await open(), username)
    await signIn(newBrowser(), await open(), username)
    await queueEmpty(server.store)
    expect(mail.mails.slice(before)).toMatchObject([
      { recipients: [email], subject: 'New sign-in to your account', text: expect.stringContaining('127.0.0.1') },
    ])
    const { body: entries } = await server.api('GET', `/logs?userId=${id}`)
    expect(entries.filter(({ payload }: { payload: { ownerNotice?: string } }) => payload.ownerNotice)).toHaveLength(1)
  })
})

describe('what a sign-in adds to an account', () => {
  test('is told: a factor', async () => {
    const { api } = server
    const [before, { username, email }] = [mail.mails.length, await person()]
    const { mfa } = (await api('GET', '/sign-in-exp')).body
    await useFactors(server, ['Totp'])
    const page = await openPage(server, configuration)
    await identifyBy(page, username)
    await addTotp(page)
    expect((await page.call('POST', '/submit')).status).toBe(200)
    await api('PATCH', '/sign-in-exp', { mfa })
    expect(await told(before)).toEqual([[email, 'A step was added to the two-step verification']])
  })

  test('an account at a provider or of a company is told, and the link takes it back', async () => {
    const { api } = server
    const provider = await startProvider(server)
    try {
      const social = await connect(server, 'oidc', { ...provider.config, trustVerifiedAddresses: true })
      const company = await connectSso(server, provider.config, { domains: ['acme.example'] })
      const socialSignIn = { automaticAccountLinking: true }
      expect((await api('PATCH', '/sign-in-exp', { singleSignOnEnabled: true, socialSignIn })).status).toBe(200)
      for (const isOfCompany of [false, true]) {
        const [before, { path, email }] = [mail.mails.length, await person(isOfCompany ? 'acme.example' : undefined)]
        const linked = async () => {
          const { body } = await api('GET', `${path}?includeSsoIdentities=true`)
          return [Object.keys(body.identities).length, body.ssoIdentities.length]
        }
        const page = await openPage(server, configuration)
        await page.start('SignIn')
        const account = newPerson({ email, email_verified: true })
        const { body } = await (isOfCompany
          ? visitSso(page, provider, company, account)
          : visit(page, provider, social, account))
        expect((await page.call('POST', '/identification', body)).status).toBe(204)
        expect((await page.call('POST', '/submit')).status).toBe(200)
        expect(await linked()).toEqual(isOfCompany ? [0, 1] : [1, 0])
        expect(await told(before)).toEqual([[email, 'Your account']])
        expect((await press(tokenOf(linkIn()))).status).toBe(200)
        expect(await linked()).toEqual([0, 0])
        await queueEmpty(server.store)
      }
    } finally {
      const socialSignIn = {}
      await api('PATCH', '/sign-in-exp', { singleSignOnEnabled: false, socialSignIn, socialSignInConnectorTargets: [] })
      await provider.close()
    }
  })
})

describe('“this was not me”', () => {
  test('ends everything and requires a new password, once; a GET does nothing', async () => {
    await server.api('PATCH', '/sign-in-exp', { ownerNotices: ALL })
    const { id, username, path, email } = await person()
    await server.api('POST', `${path}/personal-access-tokens`, { name: 'theirs' })
    await mail.got(mail.mails.length).then(() => queueEmpty(server.store))
    const browser = newBrowser()
    const begun = await begin(configuration, { scope: 'openid offline_access' })
    await redeem(configuration, await signIn(browser, begun, username), begun)
    const held = async () => [
      (await server.api('GET', `${path}/sessions`)).body.sessions.length,
      (await server.api('GET', `${path}/grants`)).body.grants.length,
      (await server.api('GET', `${path}/personal-access-tokens`)).body.length,
      (await server.api('GET', path)).body.hasPassword,
    ]
    expect(await held()).toEqual([1, 1, 1, true])
    const link = linkIn()
    const token = tokenOf(link)
    const shown = await fetch(link)
    const text = await shown.text()
    expect([shown.status, shown.headers.get('referrer-policy')]).toEqual([200, 'no-referrer'])
    for (const secret of [id, username, email]) expect(text).not.toContain(secret)
    expect(await held()).toEqual([1, 1, 1, true])
    const { cursor } = await readAll(server.api)
    const answers = await Promise.all([press(token), press(token)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    expect(await held()).toEqual([0, 0, 0, false])
    expect((await readAll(server.api, cursor)).events.map(({ event }) => event)).toEqual(['User.Data.Updated'])
    expect((await fetch(link)).status).toBe(400)
    expect((await signIn(newBrowser(), await begin(configuration), username)).text).toContain('id="problem"')
    const { body: entries } = await server.api('GET', `/logs?entity=${id}`)
    expect(entries).toContainEqual(
      expect.objectContaining({ key: 'Account.Disown', payload: expect.objectContaining({ hasToReset: true }) }),
    )
  })

  test('sets a new password with a code to the address, if the account still has none', async () => {
    await server.api('PATCH', '/sign-in-exp', { ownerNotices: ALL })
    const victim = async () => {
      const user = await person()
      await server.api('PATCH', `${user.path}/password`, { password: 'of the attacker, long enough' })
      await queueEmpty(server.store)
      return { ...user, token: tokenOf(linkIn()) }
    }
    const { username, path, token } = await victim()
    const { enter, code, text } = await pressed(token)
    expect(text).toContain('id="password"')
    const [wrong, good] = [code === '111111' ? '222222' : '111111', 'the owner is back here']
    expect(await enter(wrong, good)).toEqual([422, expect.stringContaining('id="problem"')])
    // the refusal of a password is for those who have the code, which stays good
    expect((await enter(wrong, 'short'))[1]).toContain('id="problem"')
    expect((await enter(code, 'short'))[0]).toBe(422)
    const before = mail.mails.length
    const { cursor } = await readAll(server.api)
    expect(await enter(code, good)).toEqual([200, expect.stringContaining('Your password was changed')])
    expect((await readAll(server.api, cursor)).events.map(({ event }) => event)).toEqual(['User.Data.Updated'])
    expect(await told(before)).toEqual([])
    const arrived = await signIn(newBrowser(), await begin(configuration), username, good)
    expect(arrived.url.searchParams.has('code')).toBe(true)
    expect((await enter(code, good))[0]).toBe(422)
    // not one that was set meanwhile
    const other = await victim()
    const late = await pressed(other.token)
    await server.api('PATCH', `${other.path}/password`, { password: NEW })
    expect((await late.enter(late.code, good))[0]).toBe(200)
    const still = await server.api('POST', `${other.path}/password/verify`, { password: NEW })
    expect(still.status).toBe(204)
    // not at another address, and not for another link
    const [moved, third] = [await victim(), await victim()]
    const [ofMoved, ofThird] = [await pressed(moved.token), await pressed(third.token)]
    const elsewhere = await press(moved.token, { sent: ofThird.sent ?? '', code: ofThird.code, password: good })
    expect(elsewhere.status).toBe(422)
    await server.api('PATCH', moved.path, { primaryEmail: `moved-${before}@example.com` })
    expect((await ofMoved.enter(ofMoved.code, good))[0]).toBe(400)
    for (const { path: each } of [moved, third]) expect((await server.api('GET', each)).body.hasPassword).toBe(false)
    expect((await server.api('GET', path)).body.hasPassword).toBe(true)
  })

  test('leaves a linked account that is the only way to sign in until a code has set a password', async () => {
    const withoutPassword = async () => {
      const user = await person()
      await server.store.database.pool.query(
        'UPDATE users SET password_hash = NULL, password_algorithm = NULL WHERE id = $1',
        [user.id],
      )
      await server.api('PUT', `${user.path}/identities/github`, { userId: user.path })
      await queueEmpty(server.store)
      const linked = async () => Object.keys((await server.api('GET', user.path)).body.identities)
      return { ...user, linked, token: tokenOf(linkIn()) }
    }
    const provider = await startProvider(server)
    await connect(server, 'oidc', provider.config, { target: 'github' })
    await server.api('PATCH', '/sign-in-exp', { ownerNotices: ALL })
    const { linked, token } = await withoutPassword()
    const { enter, code, text } = await pressed(token)
    expect([await linked(), text.includes('id="password"')]).toEqual([['github'], true])
    expect((await enter(code))[0]).toBe(200)
    expect(await linked()).toEqual(['github'])
    const again = await withoutPassword()
    const answered = await pressed(again.token)
    expect((await answered.enter(answered.code, NEW))[0]).toBe(200)
    expect(await again.linked()).toEqual([])
    const arrived = await signIn(newBrowser(), await begin(configuration), again.username, NEW)
    expect(arrived.url.searchParams.has('code')).toBe(true)
    // where no code can set one, the account stays as it is
    const { forgotPasswordMethods } = (await server.api('GET', '/sign-in-exp')).body
    await server.api('PATCH', '/sign-in-exp', { forgotPasswordMethods: [] })
    const last = await withoutPassword()
    const { sent, text: told } = await pressed(last.token)
    await server.api('PATCH', '/sign-in-exp', { forgotPasswordMethods, socialSignInConnectorTargets: [] })
    await provider.close()
    expect([sent, told.includes('ask the support'), await last.linked()]).toEqual([undefined, true, ['github']])
  })

  test('keeps an account whose deletion was asked for', async () => {
    await openAccountCenter(server)
    const { id: appId } = await createApp(server, 'SPA')
    const { userId, change } = await newUser(server, appId, { primaryEmail: 'kept@example.com' })
    await server.store.database.pool.query('UPDATE users SET email_verified_at = now() WHERE id = $1', [userId])
    await change('POST', '/my-account/personal-access-tokens', { name: 'one' })
    await queueEmpty(server.store)
    const token = tokenOf(linkIn())
    expect((await change('DELETE', '/my-account')).body.deletionAt).toEqual(expect.any(Number))
    await queueEmpty(server.store)
    const [keep = ''] = /http\S+\/account\/keep\?token=\S+/.exec(mail.mails.at(-1)?.text ?? '') ?? []
    expect((await fetch(keep)).status).toBe(200)
    expect((await press(token)).status).toBe(200)
    expect((await fetch(keep)).status).toBe(400)
  })

  test('from a former address ends what is signed in, and cannot touch the password; an old or wrong link does nothing', async () => {
    await server.api('PATCH', '/sign-in-exp', { ownerNotices: ALL })
    const before = mail.mails.length
    const { username, path } = await person()
    await signIn(newBrowser(), await begin(configuration), username)
    await server.api('PATCH', path, { primaryEmail: `later-${before}@example.com` })
    await mail.got(before + 1)
    const token = tokenOf(linkIn())
    for (const wrong of ['', 'x', `${token}x`, token.toUpperCase()]) expect((await press(wrong)).status).toBe(400)
    const done = await press(token)
    expect([done.status, await done.text()]).toEqual([200, expect.stringContaining('ask the support')])
    expect((await server.api('GET', `${path}/sessions`)).body.sessions).toEqual([])
    expect((await server.api('GET', path)).body.hasPassword).toBe(true)
    const other = await person()
    // what the message told of is taken back, and nothing else
    await server.api('POST', `${other.path}/mfa-verifications`, { type: 'Totp' })
    await queueEmpty(server.store)
    const ofFactor = linkIn()
    const hasFactor = async () => (await server.api('GET', `${other.path}/mfa-verifications`)).body.length
    await server.api('PUT', `${other.path}/identities/github`, { userId: other.id })
    await queueEmpty(server.store)
    expect((await press(tokenOf(linkIn()))).status).toBe(200)
    expect((await server.api('GET', other.path)).body.identities).toEqual({})
    await queueEmpty(server.store)
    // the only factor needs a code: whoever has the link and the password would do without it
    const { enter, code, text } = await pressed(tokenOf(ofFactor))
    expect([await hasFactor(), text.includes('id="password"')]).toEqual([1, false])
    const { cursor } = await readAll(server.api)
    expect((await enter(code))[0]).toBe(200)
    expect(await hasFactor()).toBe(0)
    expect((await readAll(server.api, cursor)).events.map(({ event }) => event)).toEqual(['User.Data.Updated'])
    await server.api('PATCH', other.path, { primaryPhone: '12025550188' })
    await queueEmpty(server.store)
    const late = linkIn()
    server.clock.advance(7 * 86_400)
    expect((await press(tokenOf(late))).status).toBe(400)
  })
})
