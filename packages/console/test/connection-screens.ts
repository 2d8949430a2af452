/** Screens while the connection is lost: what was typed stays, reads go on by themselves, and a change is never sent twice unknowingly. */
import type { TestServer } from '@countersign/harness/server.ts'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

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
