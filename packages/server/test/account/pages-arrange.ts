/** What the tests of the account pages share: a user who is signed in to them, in a browser without JavaScript. */
import type { TestServer } from '@countersign/harness/server.ts'
import { createUser, newBrowser, PASSWORD } from '../sign-in/arrange.ts'
import type { Browser, Page } from '../sign-in/browser.ts'

/** An address of the account pages. */
export const pageAt = ({ baseUrl }: Pick<TestServer, 'baseUrl'>, path: string): URL =>
  new URL(`${baseUrl}/account${path}`)

/** Signs a user in to a page, in a new browser. @param stops further addresses at which the browser stops */
export const enterAs = async (server: TestServer, username: string, path = '/profile', ...stops: readonly string[]) => {
  const browser = newBrowser(...stops)
  const form = await browser.open(pageAt(server, path))
  return { browser, page: await browser.submit(form, { identifier: username, password: PASSWORD }) }
}

/** A new user, signed in by an account page. */
export const enter = async (server: TestServer, path = '/profile', ...stops: readonly string[]) => {
  const user = await createUser(server)
  return { ...user, ...(await enterAs(server, user.username, path, ...stops)) }
}

/** Answers the page that asks for a proof. */
export const confirm = (browser: Browser, page: Page, password = PASSWORD): Promise<Page> =>
  browser.submit(page, { way: 'password', password })

/** Where the first link to a change leads. */
export const changeIn = ({ text, url }: Page, name: string): URL => {
  const [, href] = new RegExp(`href="(/account/change/${name}[^"]*)"`).exec(text) ?? []
  if (href === undefined) throw new Error(`${url.pathname} has no link to ${name}`)
  return new URL(href.replaceAll('&amp;', '&'), url)
}

/** Follows the link to a change, with a proof. */
export const change = async (browser: Browser, page: Page, name: string): Promise<Page> =>
  confirm(browser, await browser.open(changeIn(page, name)))
