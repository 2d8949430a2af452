/** Screens while the connection is lost: what was typed stays, reads go on by themselves, and a change is never sent twice unknowingly. */
import type { TestServer } from '@countersign/harness/server.ts'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { follow } from './arrange.ts'

interface Where {
  readonly server: TestServer
  readonly page: Page
  readonly open: (path: string) => Promise<void>
}

const LOST = 'The server cannot be reached.'

/** A change that never arrived, one whose answer was lost, and reads that a proxy answered for a server that is starting. */
export const connectionScreens = async ({ server, page, open }: Where): Promise<void> => {
  const { id } = await server.client.createUser({ body: { name: 'Lina' } })
  const nameOf = async () => (await server.client.getUser({ params: { userId: id } })).name
  const name = page.getByLabel('Name', { exact: true })
  const save = page.getByRole('button', { name: 'Save changes' })
  const changes: string[] = []
  page.on('request', (request) => request.method() === 'PATCH' && changes.push(request.url()))

  await open(`/users/${id}`)
  await name.fill('Lina Never Sent')
  await page.context().setOffline(true)
  await save.click()
  await page.getByText('Whether it was saved is not known yet').waitFor()
  await page.getByText(LOST).waitFor()
  expect(await name.inputValue()).toBe('Lina Never Sent')
  await page.context().setOffline(false)
  await page.getByText('if your change is missing, save it again').waitFor()
  await page.getByText(LOST).waitFor({ state: 'detached' })
  expect([await nameOf(), await name.inputValue(), changes.length]).toEqual(['Lina', 'Lina Never Sent', 1])
  await save.click()
  await page.getByRole('heading', { name: 'Lina Never Sent' }).waitFor()

  // what is typed while a change is being saved stays, however long it is read again
  const read = Promise.withResolvers<void>()
  await page.route(
    (url) => url.pathname === `/api/users/${id}`,
    async (route) => {
      if (route.request().method() === 'GET') await read.promise
      await route.continue()
    },
  )
  await name.fill('Lina Saved')
  const saved = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await save.click()
  await saved
  await name.fill('Lina Typed Meanwhile')
  read.resolve()
  await page.getByRole('heading', { name: 'Lina Saved' }).waitFor()
  await expect.poll(() => save.isEnabled()).toBe(true)
  expect(await name.inputValue()).toBe('Lina Typed Meanwhile')
  await page.unrouteAll({ behavior: 'wait' })

  // it arrives, and its answer does not
  await page.route(
    '**/api/users/*',
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
  await name.fill('Lina Arrived')
  await save.click()
  await page.getByRole('heading', { name: 'Lina Arrived' }).waitFor()
  await page.getByText('if your change is missing, save it again').waitFor()
  expect([await nameOf(), await save.isDisabled(), changes.length]).toEqual(['Lina Arrived', true, 4])

  await page.route('**/api/users?*', (route) => route.fulfill({ status: 503, body: 'starting' }), { times: 2 })
  await page.getByRole('link', { name: 'Users', exact: true }).first().click()
  await page.getByRole('link', { name: 'Lina Arrived' }).waitFor()
  page.removeAllListeners('request')
  await page.unrouteAll()
}

/** Every screen of the navigation but the one that reads nothing; the log is on the first screen too. Settings read what health reads. */
const READING = [
  ...['applications', 'users', 'organizations', 'scim', 'apis', 'roles', 'sign-in-experience', 'connectors', 'claims'],
  ...['webhooks', 'settings', 'health'],
]

/** A network on which answers take very long: each screen says that it is loading, nothing is sent twice, and the end of patience is told. */
export const slowScreens = async ({ server, page, open }: Where): Promise<void> => {
  const { id } = await server.client.createUser({ body: { name: 'Slow Sam' } })
  await page.addInitScript(() => {
    const timeout = AbortSignal.timeout.bind(AbortSignal)
    AbortSignal.timeout = (ms) => timeout('isHasty' in document.documentElement.dataset ? 1 : ms)
  })
  let answers = Promise.withResolvers<void>()
  const asked: string[] = []
  await page.route(/\/api\/(?!status)/, async (route) => {
    asked.push(`${route.request().method()} ${route.request().url()}`)
    await answers.promise
    // the page may have left it
    await route.continue().catch(() => undefined)
  })
  const loading = page.locator('#content [role=status]')
  const answer = async () => {
    expect(asked.filter((each, at) => asked.indexOf(each) !== at)).toEqual([])
    answers.resolve()
    await expect.poll(() => loading.count()).toBe(0)
    asked.length = 0
    answers = Promise.withResolvers()
  }
  await open('/')
  await loading.first().waitFor()
  await answer()
  const silent: string[] = []
  for (const screen of READING) {
    await follow(page, `/${screen}`)
    await loading
      .first()
      .waitFor()
      .catch(() => silent.push(screen))
    await answer()
  }
  expect(silent).toEqual([])

  answers.resolve()
  await follow(page, `/users/${id}`)
  await answer()
  const name = page.getByLabel('Name', { exact: true })
  await name.fill('Slow Samuel')
  await name.press('Enter')
  await name.press('Enter')
  await expect.poll(() => asked.filter((each) => each.startsWith('PATCH')).length).toBe(1)
  await name.press('Enter')
  answers.resolve()
  await page.getByRole('heading', { name: 'Slow Samuel' }).waitFor()
  expect(asked.filter((each) => each.startsWith('PATCH'))).toHaveLength(1)
  answers = Promise.withResolvers()

  await page.evaluate(() => {
    document.documentElement.dataset.isHasty = ''
  })
  await follow(page, '/roles?search=none')
  await page.getByText('The server did not answer in time.').waitFor()
  await page.evaluate(() => {
    delete document.documentElement.dataset.isHasty
  })
  answers.resolve()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('Nothing matches').waitFor()
  await page.unrouteAll({ behavior: 'wait' })
}
