/** What the tests of the device flow share: an application, a request, and the page where the code is entered. */
import type { TestServer } from '@countersign/harness/server.ts'
import { createApp } from './arrange.ts'
import type { Browser, Page } from './browser.ts'

export const createDevice = (server: TestServer) =>
  createApp(server, 'Native', { customClientMetadata: { isDeviceFlow: true } })

export interface Codes {
  readonly device_code: string
  readonly user_code: string
  readonly verification_uri: string
  readonly verification_uri_complete: string
}

/** A request of a device as it is sent. */
export const ask = async (
  { issuer }: TestServer,
  clientId: string,
  parameters: Record<string, string> | string[][] = {},
) => {
  const body = new URLSearchParams(parameters)
  body.set('client_id', clientId)
  const response = await fetch(`${issuer}/device/auth`, { method: 'POST', body })
  return { status: response.status, body: (await response.json()) as Codes & { error?: string } }
}

/** Enters the code as it is typed; returns the page after it. */
export const enter = async ({ baseUrl }: TestServer, browser: Browser, typed: string): Promise<Page> =>
  browser.submit(await browser.open(`${baseUrl}/device`), { user_code: typed })
