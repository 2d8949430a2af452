/** Single logout: an application ends the session, and applications are notified when it ends elsewhere. */

import { inflateRawSync } from 'node:zlib'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { redirectAddress } from '@countersign/server/kernel/saml-redirect.ts'
import { elementsOf, parseXml, writeXml } from '@countersign/server/kernel/xml.ts'
import { signedXml, verifiedElement } from '@countersign/server/kernel/xml-signature.ts'
import { type Profile, ValidateInResponseTo } from '@node-saml/node-saml'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { queueEmpty, type Receiver, startReceiver } from '../events/receiver.ts'
import { createApp } from '../sign-in/arrange.ts'
import type { Page } from '../sign-in/browser.ts'
import {
  authnRequest,
  catchUp,
  createSamlApp,
  ENTITY_ID,
  formOf,
  newBrowser,
  newKey,
  newUser,
  redirectOf,
  serviceProvider,
  signInAt,
  statusOf,
} from './arrange.ts'

const SLO = 'https://sp.example/slo'
const BINDING = 'urn:oasis:names:tc:SAML:2.0:bindings'

let server: TestServer
let receiver: Receiver
let key: Awaited<ReturnType<typeof newKey>>
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  key = await newKey()
  receiver = await startReceiver()
})
beforeEach(() => catchUp(server))
afterAll(async () => {
  await queueEmpty(server.store)
  await receiver.close()
  await server.close()
})

let count = 0
/** An application with single logout at an address of its own, and node-saml as its service provider. */
const arranged = async (singleLogout: Record<string, string> = {}) => {
  const slo = `${SLO}/${++count}`
  const { id } = await createSamlApp(server, {
    requestCertificates: [key.certificate],
    singleLogout: { url: slo, binding: `${BINDING}:HTTP-POST`, ...singleLogout },
  })
  const signing = { privateKey: key.privateKey, signatureAlgorithm: 'sha256', digestAlgorithm: 'sha256' } as const
  // node-saml looks for it in responses to authentication requests only
  const validateInResponseTo = ValidateInResponseTo.ifPresent
  return { id, slo, sp: await serviceProvider(server, id, { ...signing, validateInResponseTo }) }
}
type Arranged = Awaited<ReturnType<typeof arranged>>

const enter = async ({ sp }: Arranged, browser: ReturnType<typeof newBrowser>, username?: string): Promise<Profile> => {
  const address = await sp.getAuthorizeUrlAsync('', undefined, {})
  const page = username ? await signInAt(browser, address, username) : await browser.open(address)
  const { profile } = await sp.validatePostResponseAsync(formOf(page).fields)
  if (!profile) throw new Error('no one was signed in')
  return profile
}

const asksForSignIn = async ({ id }: Arranged, browser: ReturnType<typeof newBrowser>) =>
  (await browser.open(redirectOf(server, id, authnRequest(server, id)))).url.pathname.startsWith('/sign-in/')

test('ends the session of the user, answers signed, and notifies the other applications', async () => {
  const { username } = await newUser(server)
  const one = await arranged()
  const other = await arranged({ backChannelUrl: receiver.url })
  const browser = newBrowser()
  const profile = await enter(one, browser, username)
  const known = await enter(other, browser)
  const page = await browser.open(await one.sp.getLogoutUrlAsync(profile, 'bye', {}))
  const { action, fields } = formOf(page)
  expect([action, fields.RelayState]).toEqual([one.slo, 'bye'])
  expect(Buffer.from(fields.SAMLResponse ?? '', 'base64').toString()).toMatch(/InResponseTo="_[0-9a-f]+"/)
  expect(await one.sp.validatePostResponseAsync(fields)).toMatchObject({ loggedOut: true })
  expect(browser.cookie('countersign-session')).toBeUndefined()
  expect(await asksForSignIn(one, browser)).toBe(true)
  await receiver.got(1)
  const text = receiver.received[0]?.body ?? ''
  const request = [...elementsOf(parseXml(text))].find(({ localName }) => localName === 'LogoutRequest')
  if (!request) throw new Error(text)
  const { body: keys } = await server.api('GET', `/saml-applications/${other.id}/secrets`)
  const signed = writeXml(verifiedElement(text, request, [keys[0].certificate]))
  expect(signed).toContain(`>${known.nameID}<`)
  expect(signed).toContain(`>${known.sessionIndex}</samlp:SessionIndex>`)
})

test('answers by the Redirect binding where the application wants that', async () => {
  const { username } = await newUser(server)
  const one = await arranged({ binding: `${BINDING}:HTTP-Redirect` })
  const browser = newBrowser()
  const profile = await enter(one, browser, username)
  const { url } = await browser.open(await one.sp.getLogoutUrlAsync(profile, 'see you', {}))
  expect(url.href.startsWith(`${one.slo}?SAMLResponse=`)).toBe(true)
  const answered = await one.sp.validateRedirectAsync(Object.fromEntries(url.searchParams), url.search.slice(1))
  expect(answered).toMatchObject({ loggedOut: true })
  // the session is over already
  const again = await browser.open(await one.sp.getLogoutUrlAsync(profile, '', {}))
  expect(again.url.href.startsWith(`${one.slo}?SAMLResponse=`)).toBe(true)
})

test('R-36: ends nothing for another user, for another application, or without a signature', async () => {
  const [{ username }, stranger] = [await newUser(server), await newUser(server)]
  const [one, other] = [await arranged(), await arranged()]
  const [browser, theirs] = [newBrowser(), newBrowser()]
  const profile = await enter(one, browser, username)
  const theirProfile = await enter(one, theirs, stranger.username)
  const mixed = { ...theirProfile, sessionIndex: profile.sessionIndex } as Profile
  expect(statusOf(await theirs.open(await one.sp.getLogoutUrlAsync(mixed, '', {})))).toEqual([
    'Requester',
    'UnknownPrincipal',
  ])
  // the application has no part in the session
  const once = await other.sp.getLogoutUrlAsync(profile, '', {})
  expect(statusOf(await theirs.open(once))).toEqual(['Success'])
  const twice = await theirs.open(once)
  expect([twice.status, twice.text.includes('used before')]).toEqual([400, true])
  const unsigned = new URL(await one.sp.getLogoutUrlAsync(profile, '', {}))
  for (const name of ['Signature', 'SigAlg']) unsigned.searchParams.delete(name)
  const refused = await browser.open(unsigned)
  expect([refused.status, refused.text.includes('not signed')]).toEqual([400, true])
  expect(await asksForSignIn(one, browser)).toBe(false)
  // the moment until which the request counts has passed
  const query = new URL(await one.sp.getLogoutUrlAsync(profile, '', {})).searchParams
  const late = inflateRawSync(Buffer.from(query.get('SAMLRequest') ?? '', 'base64'))
    .toString()
    .replace('<samlp:LogoutRequest', '$& NotOnOrAfter="2020-01-01T00:00:00Z"')
  const slo = `${server.baseUrl}/api/saml/${one.id}/slo`
  const expired = await browser.open(redirectAddress(slo, { name: 'SAMLRequest', xml: late }, key.privateKey))
  expect([expired.status, expired.text.includes('NotOnOrAfter')]).toEqual([400, true])
  expect(await asksForSignIn(one, browser)).toBe(false)
  const { id } = await createSamlApp(server)
  expect((await browser.open(`${server.baseUrl}/api/saml/${id}/slo?SAMLRequest=x`)).status).toBe(400)
})

/** The request that an application got by the browser, which node-saml has checked; where it arrived, and what to answer it with. */
const askedBy = async (all: readonly Arranged[], page: Page) => {
  const { action, fields } = page.text === '' ? { action: page.url.href, fields: undefined } : formOf(page)
  const asked = all.find(({ slo }) => new URL(action).pathname === new URL(slo).pathname)
  if (!asked) throw new Error(`no application was asked at ${action}: ${page.text}`)
  const { profile } = fields
    ? await asked.sp.validatePostRequestAsync(fields as { SAMLRequest: string })
    : await asked.sp.validateRedirectAsync(Object.fromEntries(page.url.searchParams), page.url.search.slice(1))
  if (!profile) throw new Error('node-saml does not take the request')
  const answer = (success = true) => asked.sp.getLogoutResponseUrlAsync(profile, '', {}, success)
  return { asked, profile, answer, isPost: fields !== undefined }
}

const postTo = (browser: ReturnType<typeof newBrowser>, address: string, fields: Record<string, string>) =>
  browser.open(address, { method: 'POST', body: new URLSearchParams(fields) })

/** An answer by the POST binding, by hand. */
const posted = (id: string, inResponseTo: string, change: Record<string, string> = {}) => {
  const at = `${server.baseUrl}/api/saml/${id}/slo`
  const all = { Destination: at, Issuer: ENTITY_ID, Status: 'Success', privateKey: key.privateKey, ...change }
  const own = `_${inResponseTo.slice(1, 9)}${Object.keys(change).join('')}`
  const xml = `<samlp:LogoutResponse xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${own}" Version="2.0" IssueInstant="${server.clock.now().toISOString()}" Destination="${all.Destination}" InResponseTo="${inResponseTo}"><saml:Issuer>${all.Issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:${all.Status}"/></samlp:Status></samlp:LogoutResponse>`
  const signed = change.unsigned ? xml : signedXml(xml, own, all.privateKey, key.certificate)
  return [at, { SAMLResponse: Buffer.from(signed).toString('base64') }] as const
}

const enteredAll = async (...settings: Record<string, string>[]) => {
  const { username } = await newUser(server)
  const browser = newBrowser()
  const all: Arranged[] = []
  const profiles: Profile[] = []
  for (const [index, each] of settings.entries()) {
    const one = await arranged(each)
    all.push(one)
    profiles.push(await enter(one, browser, index === 0 ? username : undefined))
  }
  return { browser, all, profiles }
}

test('a sign-out leads the browser through the applications by either binding, and then back to where it began', async () => {
  const { browser, all, profiles } = await enteredAll({ binding: `${BINDING}:HTTP-Redirect` }, {})
  const told = await arranged({ backChannelUrl: receiver.url })
  await enter(told, browser)
  const app = await createApp(server)
  const query = { client_id: app.id, post_logout_redirect_uri: 'https://app.example/bye', state: 'so' }
  const question = await browser.open(`${server.issuer}/session/end?${new URLSearchParams(query)}`)
  expect(question.headers.get('content-security-policy')).toMatch(/form-action 'self'[^;]* https:/)
  const before = receiver.received.length
  let page = await browser.submit(question, { confirm: 'yes' })
  expect(browser.cookie('countersign-session')).toBeUndefined()
  const bindings: boolean[] = []
  for (let visits = 0; visits < 2; visits += 1) {
    const { asked, profile, answer, isPost } = await askedBy(all, page)
    const known = profiles[all.indexOf(asked)]
    expect([profile.nameID, profile.sessionIndex]).toEqual([known?.nameID, known?.sessionIndex])
    bindings.push(isPost)
    page = isPost ? await postTo(browser, ...posted(asked.id, profile.ID ?? '')) : await browser.open(await answer())
  }
  expect(bindings.toSorted()).toEqual([false, true])
  expect(page.url.href).toBe('https://app.example/bye?state=so')
  expect(browser.cookie('countersign-saml-logout')).toBeUndefined()
  await receiver.got(before + 1)
  const over = await browser.open(`${server.baseUrl}/api/saml/sign-out`)
  expect([over.status, over.url.pathname]).toEqual([200, '/oidc/session/end'])
})

test('a page begins a new row of redirects before a browser gives up, and leads on by itself', async () => {
  const redirect = { binding: `${BINDING}:HTTP-Redirect` }
  const { browser, all } = await enteredAll(redirect, redirect, redirect, redirect, redirect)
  let page = await browser.submit(await browser.open(`${server.issuer}/session/end`), { confirm: 'yes' })
  const isAfterPage: boolean[] = []
  for (let visits = 0; visits < 5; visits += 1) {
    const onward = /^0; url=(.*)$/.exec(page.headers.get('refresh') ?? '')?.[1]
    isAfterPage.push(onward !== undefined)
    if (onward !== undefined) {
      expect(page.text).toContain(`href="${onward.replaceAll('&', '&amp;')}"`)
      page = { ...page, url: new URL(onward), text: '' }
    }
    page = await browser.open(await (await askedBy(all, page)).answer())
  }
  expect(isAfterPage).toEqual([false, false, false, true, false])
  expect(page.text).toContain('You are signed out')
})

test('the application that began gets its answer last, which says whether all others have confirmed', async () => {
  for (const [isConfirmed, expected] of [
    [true, ['Success']],
    [false, ['Success', 'PartialLogout']],
  ] as const) {
    const { browser, all, profiles } = await enteredAll({}, {})
    const [one, other] = all as [Arranged, Arranged]
    const page = await browser.open(await one.sp.getLogoutUrlAsync(profiles[0] as Profile, 'bye', {}))
    const { asked, profile } = await askedBy(all, page)
    expect(asked.id).toBe(other.id)
    const [at, fields] = posted(other.id, profile.ID ?? '', isConfirmed ? {} : { Status: 'Responder' })
    const end = await postTo(browser, at, fields)
    expect([formOf(end).action, formOf(end).fields.RelayState, statusOf(end)]).toEqual([one.slo, 'bye', expected])
  }
  // one that has no single logout cannot be asked
  const { browser, all, profiles } = await enteredAll({})
  const { id } = await createSamlApp(server)
  await browser.open(redirectOf(server, id, authnRequest(server, id)))
  const end = await browser.open((await all[0]?.sp.getLogoutUrlAsync(profiles[0] as Profile, '', {})) ?? '')
  expect(statusOf(end)).toEqual(['Success', 'PartialLogout'])
  // nor one for which no key signs any more
  const left = await enteredAll({}, {})
  const [first, keyless] = left.all as [Arranged, Arranged]
  const secrets = `/saml-applications/${keyless.id}/secrets` as const
  const [signing] = (await server.api('GET', secrets)).body
  expect((await server.api('PATCH', `${secrets}/${signing.id}`, { active: false })).status).toBe(200)
  const page = await left.browser.open(await first.sp.getLogoutUrlAsync(left.profiles[0] as Profile, '', {}))
  expect(statusOf(page)).toEqual(['Success', 'PartialLogout'])
})

test('an application that does not answer does not hold the others: the user asks it again, or goes on', async () => {
  const { browser, all } = await enteredAll({}, { binding: `${BINDING}:HTTP-Redirect` })
  const signOut = async () => browser.submit(await browser.open(`${server.issuer}/session/end`), { confirm: 'yes' })
  const first = await askedBy(all, await signOut())
  // back, as with the button of the browser
  const stuck = await browser.open(`${server.issuer}/session/end`)
  expect([stuck.status, stuck.url.pathname]).toEqual([200, '/api/saml/sign-out'])
  expect(stuck.text).toContain('has not confirmed that you are signed out there')
  const again = await askedBy(all, await browser.submit(stuck, { choice: 'again' }))
  expect([again.asked.id, again.profile.ID === first.profile.ID]).toEqual([first.asked.id, false])
  const reloaded = await browser.open(`${server.baseUrl}/api/saml/sign-out`)
  const second = await askedBy(all, await browser.submit(reloaded, { choice: 'skip' }))
  expect(second.asked.id).not.toBe(first.asked.id)
  // too late, and not the answer that is awaited
  const late = await postTo(browser, ...posted(first.asked.id, first.profile.ID ?? ''))
  expect([late.status, late.text.includes('href="/api/saml/sign-out"')]).toEqual([400, true])
  const end = await browser.open(await second.answer())
  expect([end.url.pathname, end.text.includes('You are signed out')]).toEqual(['/oidc/session/end', true])
})

test('R-36: an answer counts once, if it is signed by the application that was asked, and another browser has no part in it', async () => {
  const { browser, all } = await enteredAll({}, {})
  const page = await browser.submit(await browser.open(`${server.issuer}/session/end`), { confirm: 'yes' })
  const { asked, profile } = await askedBy(all, page)
  const id = profile.ID ?? ''
  const other = all.find((each) => each !== asked) as Arranged
  const stranger = await newKey()
  const wrong = [
    posted(asked.id, id, { unsigned: 'yes' }),
    posted(asked.id, id, { privateKey: stranger.privateKey }),
    posted(asked.id, id, { Issuer: 'https://other.example/metadata' }),
    posted(asked.id, id, { Destination: `${server.baseUrl}/api/saml/${other.id}/slo` }),
    posted(asked.id, `_${'0'.repeat(40)}`),
    posted(other.id, id),
  ]
  for (const each of wrong) {
    const refused = await postTo(browser, ...each)
    expect([refused.status, refused.text.includes('You may still be signed in')]).toEqual([400, true])
  }
  const theirs = await newBrowser().open(`${server.baseUrl}/api/saml/sign-out`)
  expect(theirs.url.pathname).toBe('/oidc/session/end')
  const right = posted(asked.id, id)
  const next = await askedBy(all, await postTo(browser, ...right))
  expect(next.asked.id).toBe(other.id)
  const replayed = await postTo(browser, ...right)
  expect([replayed.status, replayed.text.includes('waits for this answer')]).toEqual([400, true])
  const { body: log } = await server.api('GET', `/logs?logKey=SamlApplication.LogoutResponse&page_size=20`)
  type Entry = { payload: { result: string; applicationId?: string } }
  const refused = log.filter(
    ({ payload }: Entry) => payload.result === 'Error' && [asked.id, other.id].includes(payload.applicationId ?? ''),
  )
  expect(refused).toHaveLength(7)
  // after half an hour there is nothing to go on with
  server.clock.advance(1801)
  const late = await browser.open(`${server.baseUrl}/api/saml/sign-out`)
  expect([late.url.pathname, late.status]).toEqual(['/oidc/session/end', 200])
})
