/** The commands of the guide about roles and organizations, with the actions of users in between. */
import { freePort } from '@countersign/harness/free-port.ts'
import type { Guide } from '@countersign/harness/guide.ts'
import type { TestServer } from '@countersign/harness/server.ts'
import { expect } from 'vitest'
import { newBrowser } from '../sign-in/arrange.ts'
import { type Walk, withGuide } from './walk.ts'

const PASSWORD = 'a long enough phrase'
/** Opens what the shell printed in a browser of its own, and confirms the code that is in the address. */
const openPrinted = async (printed: string) => {
  const address = new URL(/Open (http\S+)/.exec(printed)?.[1] ?? '')
  const browser = newBrowser()
  const entry = await browser.open(address)
  return { browser, page: await browser.submit(entry, { user_code: address.searchParams.get('user_code') ?? '' }) }
}
/** The scopes of the tokens whose claims were printed. */
const printedScopes = (printed: string) => [...printed.matchAll(/scope: '([^']*)'/g)].map(([, scope]) => scope)

const follow = async (guide: Guide, server: TestServer) => {
  expect(guide.blocks).toHaveLength(11)
  const { next } = guide
  expect(await next()).toContain('"name":"Customer"')
  await next()
  const ada = await openPrinted(await next())
  const confirmation = await ada.browser.submit(ada.page, { identifier: 'ada_team', password: PASSWORD })
  expect(confirmation.text).toContain('Connect Order desk?')
  await ada.browser.submit(confirmation, { answer: 'allow' })
  expect(printedScopes(await next())).toEqual(['read:orders'])
  const inAcme = await next()
  expect(printedScopes(inAcme)).toEqual(['read:orders approve:orders', 'invite:member'])
  expect(inAcme).toMatch(/aud: 'https:\/\/orders\.example\/team'.*aud: 'urn:logto:organization:[0-9a-z]{12}'/s)
  expect(printedScopes(await next())).toEqual(['approve:orders'])

  const mailed = await next()
  expect(mailed).toContain('To: grace@example.com')
  expect(mailed).toContain(`${server.baseUrl}/join`)
  expect(await next()).toContain('"status":"Accepted"')

  const linus = await openPrinted(await next())
  const [, link = ''] = /id="register" href="([^"]+)"/.exec(linus.page.text) ?? []
  const form = await linus.browser.open(new URL(link, server.baseUrl))
  const sent = await linus.browser.submit(form, { identifier: 'linus@acme.example', password: PASSWORD })
  const [, code = ''] =
    /^(\d{6})/m.exec(await guide.type("until grep -E '^[0-9]{6}' data/mail.log; do sleep 0.1; done")) ?? []
  expect((await linus.browser.submit(sent, { code })).text).toContain('Connect Order desk?')
  const members: { name: string | null; primaryEmail: string; organizationRoles: object[] }[] = JSON.parse(await next())
  const joined = members.map(({ name, primaryEmail }) => name ?? primaryEmail)
  expect(joined.sort()).toEqual(['Ada', 'grace@example.com', 'linus@acme.example'])
  for (const { organizationRoles } of members) expect(organizationRoles).toMatchObject([{ name: 'Buyer' }])

  const left = await next()
  expect(left).toMatch(/error: 'access_denied'.*aud: 'https:\/\/orders\.example\/team'/s)
  expect(printedScopes(left)).toEqual(['read:orders'])
}

export const rolesAndOrganizations: Walk = async (place) => {
  const port = String(await freePort())
  // a mail sent before the mail server listens is retried later, but the clock of this server stands still
  const listening = `until (: < /dev/tcp/127.0.0.1/${port}) 2>/dev/null; do sleep 0.1; done\n`
  await withGuide(place, 'roles-and-organizations', (guide) => follow(guide, place.server), [
    ['2525', port],
    ['> data/mail.log &\n', `> data/mail.log &\n${listening}`],
    // a mail is written piece by piece: wait for its end
    ["grep -q 'You are invited' data/mail.log", "grep -q '/join' data/mail.log"],
  ])
}
