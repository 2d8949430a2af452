/** Single logout: an application ends the session, and applications are notified when it ends elsewhere. */

import { inflateRawSync } from 'node:zlib'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { redirectAddress } from '@countersign/server/kernel/saml-redirect.ts'
import { elementsOf, parseXml, writeXml } from '@countersign/server/kernel/xml.ts'
import { verifiedElement } from '@countersign/server/kernel/xml-signature.ts'
import { type Profile, ValidateInResponseTo } from '@node-saml/node-saml'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { queueEmpty, type Receiver, startReceiver } from '../events/receiver.ts'
import {
  authnRequest,
  catchUp,
  createSamlApp,
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

/** An application with single logout, and node-saml as its service provider. */
const arranged = async (singleLogout: Record<string, string> = {}) => {
  const { id } = await createSamlApp(server, {
    requestCertificates: [key.certificate],
    singleLogout: { url: SLO, binding: `${BINDING}:HTTP-POST`, ...singleLogout },
  })
  const signing = { privateKey: key.privateKey, signatureAlgorithm: 'sha256', digestAlgorithm: 'sha256' } as const
  // node-saml looks for it in responses to authentication requests only
  const validateInResponseTo = ValidateInResponseTo.ifPresent
  return { id, sp: await serviceProvider(server, id, { ...signing, validateInResponseTo }) }
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
  expect([action, fields.RelayState]).toEqual([SLO, 'bye'])
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
  expect(url.href.startsWith(`${SLO}?SAMLResponse=`)).toBe(true)
  const answered = await one.sp.validateRedirectAsync(Object.fromEntries(url.searchParams), url.search.slice(1))
  expect(answered).toMatchObject({ loggedOut: true })
  // the session is over already
  const again = await browser.open(await one.sp.getLogoutUrlAsync(profile, '', {}))
  expect(again.url.href.startsWith(`${SLO}?SAMLResponse=`)).toBe(true)
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
  expect(statusOf(await theirs.open(await other.sp.getLogoutUrlAsync(profile, '', {})))).toEqual(['Success'])
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
