/** What the browser tests of the console share: the built console, administrators, and signing in as one. */
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { TestServer } from '@countersign/harness/server.ts'
import type { Page } from 'playwright-core'

const PASSWORD = 'a long enough phrase'

/** Builds the console as it is now, which takes some seconds: the server serves what is built. */
export const buildConsole = (): void => {
  const folder = fileURLToPath(new URL('..', import.meta.url))
  const { status, stderr } = spawnSync(
    process.execPath,
    ['../../node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'],
    {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, NODE_ENV: 'production' },
    },
  )
  if (status !== 0) throw new Error(`the console could not be built: ${stderr}`)
}

/** A user who holds these roles of administrators. */
export const createAdministrator = async (
  { client }: TestServer,
  username: string,
  roleId: string,
): Promise<string> => {
  const { id: userId } = await client.createUser({ body: { username, password: PASSWORD } })
  await client.putAdministrator({ params: { userId }, body: { roleIds: [roleId] } })
  return userId
}

/** Fills in the sign-in page that is open, and waits for the console. */
export const signIn = async (page: Page, username: string): Promise<void> => {
  await page.fill('#identifier', username)
  await page.fill('#password', PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForSelector('#content h1')
}

/** The router of the console puts itself there. */
interface Routed {
  readonly __TSR_ROUTER__: {
    navigate(options: { readonly href: string }): Promise<void>
    readonly state: Readonly<Record<'location' | 'resolvedLocation', { readonly href: string } | undefined>>
  }
}

/** Goes to an address of the console that is open as a link does, without loading the page again, until its screen took the place of the last one. */
export const follow = async (page: Page, path: string): Promise<void> => {
  await page.evaluate((href) => (globalThis as unknown as Routed).__TSR_ROUTER__.navigate({ href }), `/console${path}`)
  await page.waitForFunction(() => {
    const { location, resolvedLocation } = (globalThis as unknown as Routed).__TSR_ROUTER__.state
    return resolvedLocation !== undefined && resolvedLocation.href === location?.href
  })
}

/** Waits until the screen has what it shows. */
export const settle = async (page: Page): Promise<void> => {
  await page.waitForSelector('#content h1')
  await page.waitForFunction(() => document.querySelector('[role=status]') === null)
}

export interface Receiver {
  readonly url: string
  readonly answerWith: (status: number, text: string) => void
  readonly close: () => void
}

/** A server that answers every request alike: 200 until it is told otherwise. */
export const startReceiver = async (): Promise<Receiver> => {
  let answer: readonly [status: number, text: string] = [200, '']
  const server = createServer((request, response) => {
    request.resume().once('end', () => response.writeHead(answer[0]).end(answer[1]))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    answerWith: (status, text) => {
      answer = [status, text]
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
