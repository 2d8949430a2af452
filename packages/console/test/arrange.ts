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
