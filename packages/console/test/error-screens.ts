/** Errors of the Management API in forms, in the language of the console; console-browser.test.ts runs them. */
import type { TestServer } from '@countersign/harness/server.ts'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** The console that is open. */
interface Opened {
  readonly server: TestServer
  readonly page: Page
  readonly open: (path: string) => Promise<unknown>
}

/** Sends a role of this name, and waits for what is then said at the field, or in the dialog. */
const refusedRole = async (page: Page, name: string, said: string): Promise<void> => {
  const dialog = page.getByRole('dialog')
  await dialog.locator('input[name=name]').fill(name)
  await dialog.locator('button[type=submit]').click()
  await dialog.getByText(said).first().waitFor()
}

/** An error of its own, one of validation with a limit, and one at an address among several; then without the file of phrases. */
export const errorScreens = async ({ server, page, open }: Opened): Promise<void> => {
  const speak = (tag: string) => page.evaluate((chosen) => localStorage.setItem('console.language', chosen), tag)
  const { id } = await server.client.createApplication({
    body: {
      name: 'Refused',
      type: 'Traditional',
      oidcClientMetadata: { redirectUris: ['https://shop.example/callback'], postLogoutRedirectUris: [] },
    },
  })
  await server.client.createRole({ body: { name: 'Taken', type: 'User' } })
  const create = { de: 'Rolle anlegen', ar: 'إنشاء دور', fr: 'Créer un rôle' }

  await speak('de')
  await open('/roles')
  await page.getByRole('button', { name: create.de }).first().click()
  await refusedRole(page, 'Taken', 'Es gibt schon eine Rolle mit diesem Namen.')
  await refusedRole(page, 'x'.repeat(129), 'Das darf höchstens 128 Zeichen haben.')
  await open(`/applications/${id}?tab=settings`)
  await page.getByLabel('Redirect-URIs 1').fill('http://shop.example/callback')
  const addresses = page.locator('form').filter({ hasText: 'Redirect-URIs' })
  await addresses.getByRole('button', { name: 'Änderungen speichern' }).click()
  await addresses.getByText('Die Adresse muss mit https:// beginnen').waitFor()
  await addresses.getByRole('button', { name: 'Verwerfen' }).click()

  const name = 'nickCode'
  await server.client.createCustomProfileField({
    body: { name, type: 'Text', label: 'Code', required: false, config: { maxLength: 5 } },
  })
  const user = await server.client.createUser({ body: { username: 'coded' } })
  await open(`/users/${user.id}`)
  await page.getByLabel('Code', { exact: true }).fill('too long')
  const profile = page.locator('form').filter({ has: page.getByLabel('Code', { exact: true }) })
  await profile.getByRole('button', { name: 'Änderungen speichern' }).click()
  await profile.getByText('Das darf höchstens 5 Zeichen haben.', { exact: true }).waitFor()
  await profile.getByRole('button', { name: 'Verwerfen' }).click()
  await server.client.deleteUser({ params: { userId: user.id } })
  await server.client.deleteCustomProfileField({ params: { name } })

  await speak('ar')
  await open('/roles')
  await page.getByRole('button', { name: create.ar }).first().click()
  await refusedRole(page, 'Taken', 'يوجد دور بهذا الاسم.')
  // the number keeps its own direction
  await refusedRole(page, 'x'.repeat(129), 'يُسمح هنا بـ \u2068128\u2069 من الأحرف على الأكثر.')

  await page.route(/\/assets\/errors-/, (route) => route.abort())
  await speak('fr')
  await open('/roles')
  await page.getByRole('button', { name: create.fr }).first().click()
  await refusedRole(page, 'Taken', 'A role with this name already exists.')
  await page.unroute(/\/assets\/errors-/)
  await refusedRole(page, 'Taken', 'Un rôle de ce nom existe déjà.')
  await speak('en')
  await open('/roles')
  expect(await page.locator('html').getAttribute('lang')).toBe('en')
}
