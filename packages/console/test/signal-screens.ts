/** The main path of Shared Signals in the console: an application becomes a receiver, and its stream is paused, continued and deleted. */
import type { TestServer } from '@countersign/harness/server.ts'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** The console that is open. */
interface Opened {
  readonly server: TestServer
  readonly page: Page
  readonly open: (path: string) => Promise<unknown>
}

/** A receiver creates its stream itself, as the one that the card has just allowed. */
const createStream = async ({ issuer, client }: TestServer, id: string): Promise<void> => {
  const [secret] = await client.listApplicationSecrets({ params: { id } })
  const answer = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${id}:${secret?.value}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'ssf.manage' }),
  })
  const { access_token } = (await answer.json()) as { access_token: string }
  const created = await fetch(`${issuer}/ssf/streams`, {
    method: 'POST',
    headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
    body: '{}',
  })
  expect(created.status).toBe(201)
}

export const signalScreens = async ({ server, page, open }: Opened): Promise<void> => {
  const { id } = await server.client.createApplication({ body: { name: 'Desk <b>', type: 'Traditional' } })
  await open(`/applications/${id}?tab=tokens`)
  const card = page.locator('form').filter({ hasText: 'identifier-changed' })
  await card.getByLabel('A session ends').check()
  await card.getByLabel('The user is suspended').check()
  await card.getByLabel('How it knows users').selectOption('email')
  await card.getByRole('button', { name: 'Save changes' }).click()
  const stored = async () => (await server.client.getApplication({ params: { id } })).customClientMetadata
  await expect
    .poll(async () => (await stored()).sharedSignals)
    .toEqual({ events: ['session-revoked', 'account-disabled'], defaultSubjects: 'ALL', subjectFormat: 'email' })
  await createStream(server, id)

  await open('/webhooks')
  await page.getByRole('link', { name: 'Shared Signals' }).click()
  const row = page.getByRole('row').filter({ hasText: 'Desk <b>' })
  await row.getByText('It polls').waitFor()
  const status = async () => (await server.client.listSignalStreams({}))[0]?.status
  await row.getByRole('button', { name: 'Pause' }).click()
  await row.getByText('Paused').waitFor()
  expect(await status()).toBe('paused')
  await page.getByRole('button', { name: 'Undo' }).click()
  await row.getByRole('button', { name: 'Pause' }).waitFor()
  expect(await status()).toBe('enabled')
  await row.getByRole('button', { name: 'Delete stream' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete stream' }).click()
  await page.getByText('No streams yet').waitFor()
  await server.client.deleteApplication({ params: { id } })
}
