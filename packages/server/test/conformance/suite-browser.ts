/** The suite's scripted browser, as far as the configuration of docs/conformance.md needs it: tasks, addresses, ids. */
import { expect } from 'vitest'
import type { Browser, Page } from '../sign-in/browser.ts'

type Command =
  | readonly ['text', 'id', string, string]
  | readonly ['click', 'id', string, 'optional'?]
  | readonly ['wait', 'id', string, number, string?, string?]

interface Task {
  readonly task: string
  /** An address; only `*` has a meaning. */
  readonly match: string
  readonly optional?: boolean
  readonly commands: readonly Command[]
}

interface SuiteClient {
  readonly client_id: string
  readonly client_secret: string
}

export interface SuiteConfiguration {
  readonly alias: string
  readonly server: { readonly discoveryUrl: string }
  readonly client: SuiteClient
  readonly client2: SuiteClient
  readonly client_secret_post: SuiteClient
  readonly browser: readonly { readonly match: string; readonly tasks: readonly Task[] }[]
}

export interface Visit {
  /** Where it ends up. At the suite's own addresses its text is empty. */
  readonly page: Page
  /** The tasks whose address matched. */
  readonly done: readonly string[]
  /** The text of the pages that were submitted as screenshots. */
  readonly shown: readonly string[]
}

const fits = (pattern: string, { href }: URL): boolean => {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[^\w/:]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`).test(href)
}

const attribute = (tag: string, name: string): string | undefined => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]

/** The tag of an id with the text that follows it. */
const element = ({ text }: Page, id: string): readonly [tag: string, text: string] | undefined => {
  const [, tag, after = ''] = new RegExp(`(<[a-z][a-z0-9]*(?: [^>]*)?\\sid="${id}"[^>]*>)([^<]*)`).exec(text) ?? []
  return tag === undefined ? undefined : [tag, after.trim()]
}

/** Presses a button of the page's one form: the button's own value is sent too, and the form may lead to the suite. */
const press = async (browser: Browser, page: Page, button: string, fields: Record<string, string>): Promise<Page> => {
  const [form = ''] = /<form[^>]*>/.exec(page.text) ?? []
  const url = new URL(attribute(form, 'action') ?? page.url, page.url)
  if (url.origin !== page.url.origin) return { ...page, url, text: '' }
  const own = attribute(button, 'name')
  const sent = own === undefined ? fields : { ...fields, [own]: attribute(button, 'value') ?? '' }
  return browser.submit({ ...page, url }, sent)
}

/** Opens an address and performs its tasks in the configuration, as the suite does. */
export const visit = async (configuration: SuiteConfiguration, browser: Browser, address: URL): Promise<Visit> => {
  const entry = configuration.browser.find(({ match }) => fits(match, address))
  expect(entry, `tasks for ${address.href}`).toBeDefined()
  let page = await browser.open(address)
  const done: string[] = []
  const shown: string[] = []
  for (const { task, match, optional, commands } of entry?.tasks ?? []) {
    if (!fits(match, page.url)) {
      expect(optional, `${task} at ${page.url.href}`).toBe(true)
      continue
    }
    done.push(task)
    if (page.text === '') continue
    const fields: Record<string, string> = {}
    for (const command of commands) {
      const [tag, text] = element(page, command[2]) ?? []
      if (tag === undefined) {
        expect(command, `${task}: an element that is not there`).toEqual(['click', 'id', command[2], 'optional'])
        continue
      }
      if (command[0] === 'text') fields[attribute(tag, 'name') ?? ''] = command[3]
      if (command[0] === 'wait') shown.push(text ?? '')
      if (command[0] === 'click') page = await press(browser, page, tag, fields)
    }
  }
  return { page, done, shown }
}
