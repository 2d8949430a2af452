/** The main path of types of authorization details, at their API and at an application; console-browser.test.ts runs it. */
import type { TestServer } from '@countersign/harness/server.ts'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** The console that is open. */
interface Opened {
  readonly server: TestServer
  readonly page: Page
  readonly open: (path: string) => Promise<unknown>
}

export const detailsScreens = async ({ server, page, open }: Opened): Promise<void> => {
  const { id: resourceId } = await server.client.createResource({
    body: { name: 'Payments <b>', indicator: 'https://payments.example' },
  })
  const types = () => server.client.listAuthorizationDetailsTypes({ params: { resourceId } })
  const form = page.locator('#content form')
  const preview = page.getByRole('region', { name: 'On the consent page' })
  const save = () => page.getByRole('button', { name: 'Save changes' }).click()
  await open(`/apis/${resourceId}?tab=details`)
  await page.getByRole('button', { name: 'Add type' }).click()
  await page.getByLabel('Type', { exact: true }).fill('payment "><b>')
  await page.getByLabel('Sentence').fill('Pay {amount} to {creditorName} for {purpose}')
  await preview.getByText('Pay 123.50 to Merchant A for –').waitFor()
  await preview.getByText('Not in the schema: purpose').waitFor()
  await page.getByLabel('Sentence').fill('Pay {amount to {creditorName}')
  await save()
  await form.getByText('Each brace must belong').waitFor()
  await page.getByLabel('Sentence').fill('Pay {amount} to {creditorName}')
  await page.getByLabel('Language').selectOption('Deutsch')
  await preview.getByText('Pay 123.50 to Merchant A').waitFor()
  await page.getByLabel('Sentence').fill('{amount} an {creditorName} zahlen')
  await preview.getByText('123.50 an Merchant A zahlen').waitFor()
  const schema = page.getByRole('textbox', { name: 'JSON Schema' })
  const name = page.getByLabel('Type', { exact: true })
  await save()
  await name.and(page.locator('[aria-invalid=true]')).waitFor()
  await name.fill('payment')
  await schema.fill('{"type": ')
  await save()
  await form.getByText('This is not JSON').waitFor()
  await schema.fill('{"type":"object","$ref":"#"}')
  await save()
  await form.getByText('keyword $ref').waitFor()
  await schema.fill('{"type":"object","properties":{"amount":{"type":"string"},"creditorName":{"const":"C"}}}')
  await save()
  await page.getByRole('heading', { name: 'payment', exact: true }).waitFor()
  expect(await types()).toMatchObject([
    {
      type: 'payment',
      schema: { type: 'object', properties: { creditorName: { const: 'C' } } },
      templates: { en: 'Pay {amount} to {creditorName}', de: '{amount} an {creditorName} zahlen' },
    },
  ])
  await page.getByLabel('Description').fill('A payment <i>')
  await save()
  await expect.poll(types).toMatchObject([{ description: 'A payment <i>' }])

  const { id } = await server.client.createApplication({ body: { name: 'Payer <b>', type: 'Traditional' } })
  await open(`/applications/${id}?tab=tokens`)
  await page.getByRole('checkbox', { name: 'payment Payments <b>: A payment' }).check()
  await page.getByRole('switch', { name: 'Manages grants' }).click()
  await page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Authorization details' }) })
    .getByRole('button', { name: 'Save changes' })
    .click()
  await expect
    .poll(async () => (await server.client.getApplication({ params: { id } })).customClientMetadata)
    .toMatchObject({ authorizationDetailsTypes: ['payment'], grantManagement: true })

  await open(`/apis/${resourceId}?tab=details`)
  await page.getByRole('button', { name: 'Edit type: payment' }).click()
  await page.getByRole('button', { name: 'Delete type' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Applications that ask for it: Payer <b>').waitFor()
  await dialog.getByRole('textbox').fill('payment')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No types yet.').waitFor()
  await open(`/applications/${id}?tab=tokens`)
  await page.getByText('There is no such type any more.').waitFor()
}
