/** What all screens have in common: the same as a file, and what each role of administrators sees and may do. */
import type { TestServer } from '@countersign/harness/server.ts'
import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import { readDeclaration } from '../../server/src/declaration/read.ts'
import { createAdministrator, follow, settle, signIn } from './arrange.ts'

/** The lines that a screen shows are a tenant file, and hold no secret. */
export const applyLines = async (server: TestServer, open: (path: string) => Promise<void>, page: Page) => {
  const { id } = await server.client.createApplication({
    body: {
      name: 'Declared: "<b>"',
      type: 'SPA',
      oidcClientMetadata: { redirectUris: ['https://declared.example/callback'], postLogoutRedirectUris: [] },
    },
  })
  await server.client.createHook({
    body: {
      name: 'Declared',
      events: ['User.Created'],
      config: { url: 'https://hooks.example/', headers: { Authorization: 'Bearer of-the-hook' } },
    },
  })
  const read: Record<string, unknown> = {}
  for (const path of [`/applications/${id}`, '/webhooks', '/roles', '/apis', '/connectors', '/sign-in-experience']) {
    await open(path)
    await page.getByRole('button', { name: 'Show API call' }).click()
    const lines = page.locator('figcaption').filter({ hasText: 'tenant.yaml' }).first().locator('..').locator('pre')
    const text = (await lines.textContent()) ?? ''
    expect(text).not.toContain('of-the-hook')
    const { declaration } = await readDeclaration(text, `the lines of ${path}`, new Proxy({}, SET))
    Object.assign(read, declaration)
    await page.keyboard.press('Escape')
  }
  expect(read).toMatchObject({
    applications: [
      {
        name: 'Declared: "<b>"',
        type: 'SPA',
        oidcClientMetadata: { redirectUris: ['https://declared.example/callback'] },
      },
    ],
    hooks: expect.arrayContaining([expect.objectContaining({ name: 'Declared', events: ['User.Created'] })]),
    signInExperience: { color: await server.client.getSignInExperience().then(({ color }) => color) },
  })
}

/** Every environment variable is set. */
const SET: ProxyHandler<Record<string, string>> = {
  has: () => true,
  getOwnPropertyDescriptor: () => ({ value: 'set', enumerable: true, configurable: true }),
  get: () => 'set',
}

const FOR_SUPPORT = ['Home', 'Applications', 'Users', 'Organizations', 'APIs', 'Roles', 'Explain a token', 'Log']
const FOR_OTHERS = ['Sign-in experience', 'Health', 'Administrators']
/** What these show holds secrets: to read them needs the permission to change them. */
const WITH_SECRETS = ['Connectors', 'Custom claims', 'Webhooks']
/** Role → the screens that its navigation lacks, and which of the buttons below are there. */
const SEEN: Readonly<Record<string, readonly [lacks: (title: string) => boolean, mayCreate: readonly string[]]>> = {
  auditor: [(title) => WITH_SECRETS.includes(title), []],
  support: [(title) => !FOR_SUPPORT.includes(title), ['Create user']],
  developer: [(title) => title === 'Connectors', ['Create application']],
  administrator: [() => false, ['Create user', 'Create application']],
  own: [(title) => !['Home', 'Users'].includes(title), []],
}
const PLACES = [
  ['/users', 'Create user', 'POST', '/users'],
  ['/applications', 'Create application', 'POST', '/applications'],
] as const

/** What is not permitted is not shown, and refused by the API to the token of the console. */
export const roleTable = async (server: TestServer, browser: Browser, owner: Page) => {
  const own = await server.client.createAdministratorRole({
    body: { name: 'Reader of users', description: '', permissions: ['read:users'] },
  })
  const titles = [...FOR_SUPPORT, ...FOR_OTHERS, ...WITH_SECRETS].sort()
  const navigation = async (page: Page) => {
    const links = await page.getByRole('navigation', { name: 'Screens' }).getByRole('link').allTextContents()
    return links.filter((title) => titles.includes(title)).sort()
  }
  expect(await navigation(owner)).toEqual(titles)
  const seen: Record<string, unknown> = {}
  for (const role of ['auditor', 'support', 'developer', 'administrator', own.id]) {
    const page = await (await browser.newContext({ locale: 'en-US' })).newPage()
    await createAdministrator(server, `of-${role}`.replaceAll('-', '_').slice(0, 30), role)
    const sent = page.waitForRequest((request) => request.headers().authorization?.startsWith('Bearer ') ?? false)
    await page.goto(`${server.baseUrl}/console/users`)
    await signIn(page, `of-${role}`.replaceAll('-', '_').slice(0, 30))
    const authorization = (await sent).headers().authorization ?? ''
    const created: string[] = []
    for (const [path, button, method, route] of PLACES) {
      await follow(page, path)
      await settle(page)
      const shown = await page
        .getByRole('button', { name: button })
        .or(page.getByRole('link', { name: button }))
        .count()
      const { status } = await fetch(`${server.baseUrl}/api${route}`, {
        method,
        headers: { authorization, 'content-type': 'application/json' },
        body: '{"no":"such"}',
      })
      expect([role, button, shown > 0], `${status}`).toEqual([role, button, status !== 403])
      if (shown > 0) created.push(button)
    }
    const screens = await navigation(page)
    seen[role === own.id ? 'own' : role] = [screens, created]
    await page.context().close()
  }
  const wanted = Object.entries(SEEN).map(([role, [lacks, created]]) => [
    role,
    [titles.filter((title) => !lacks(title)), created],
  ])
  expect(seen).toEqual(Object.fromEntries(wanted))
}
