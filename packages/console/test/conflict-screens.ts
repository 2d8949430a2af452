/** Two administrators who change the same thing: the second is told, and nothing is overwritten unknowingly. */
import type { TestServer } from '@countersign/harness/server.ts'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

interface Opened {
  readonly server: TestServer
  readonly page: Page
  /** The console of another administrator, hedy. */
  readonly other: Page
}

/** Both have the settings of one application open. */
export const conflictScreens = async ({ server, page, other }: Opened): Promise<void> => {
  const { id } = await server.client.createApplication({
    body: { name: 'Shared', type: 'SPA', oidcClientMetadata: { redirectUris: [], postLogoutRedirectUris: [] } },
  })
  const stored = async () => {
    const { name, description, customClientMetadata } = await server.client.getApplication({ params: { id } })
    return { name, description, ...customClientMetadata }
  }
  const open = async (where: Page, tab: string) => {
    await where.goto(`${server.baseUrl}/console/applications/${id}?tab=${tab}`)
    await where.getByRole('heading', { name: 'Shared', level: 1 }).waitFor()
  }
  const save = async (where: Page, form: string) => {
    // the last of two changes of one moment is not known
    server.clock.advance(1)
    await where.locator('form').filter({ hasText: form }).getByRole('button', { name: 'Save changes' }).click()
  }
  const description = (where: Page) => where.getByLabel('Description')
  const dialog = page.getByRole('dialog', { name: 'This was changed meanwhile' })

  // different members: both stay
  await open(page, 'tokens')
  await open(other, 'tokens')
  await page.getByRole('switch', { name: 'Require PKCE' }).click()
  await other.getByLabel('Lifetime of ID tokens').fill('1200')
  await save(other, 'Lifetime of ID tokens')
  await expect.poll(stored).toMatchObject({ idTokenTtl: 1200 })
  await save(page, 'Lifetime of ID tokens')
  await page.getByText('hedy changed customClientMetadata meanwhile. Both changes are saved.').waitFor()
  expect(await stored()).toMatchObject({ requirePkce: true, idTokenTtl: 1200 })

  // the same member: theirs is taken, mine is kept, and a draft from before a reload stands on what it was made from
  await open(page, 'settings')
  await open(other, 'settings')
  await description(page).fill('of grace')
  await description(other).fill('of hedy <b>')
  await save(other, 'Description')
  await expect.poll(stored).toMatchObject({ description: 'of hedy <b>' })
  await save(page, 'Description')
  await dialog.getByText('hedy changed the same fields').waitFor()
  await dialog.getByText('of hedy <b>').waitFor()
  await page.keyboard.press('Escape')
  await page.getByText('Not saved: this was changed meanwhile').waitFor()
  expect([await description(page).inputValue(), (await stored()).description]).toEqual(['of grace', 'of hedy <b>'])
  await save(page, 'Description')
  await dialog.getByRole('button', { name: 'Take theirs' }).click()
  await expect.poll(() => description(page).inputValue()).toBe('of hedy <b>')
  await page.getByText('Not saved: this was changed meanwhile').waitFor({ state: 'detached' })

  await description(page).fill('of grace again')
  await description(other).fill('of hedy again')
  await save(other, 'Description')
  await expect.poll(stored).toMatchObject({ description: 'of hedy again' })
  await open(page, 'settings')
  expect(await description(page).inputValue()).toBe('of grace again')
  await save(page, 'Description')
  await dialog.getByText('of hedy again').waitFor()
  await dialog.getByRole('button', { name: 'Keep mine' }).click()
  await expect.poll(stored).toMatchObject({ description: 'of grace again', idTokenTtl: 1200 })
}
