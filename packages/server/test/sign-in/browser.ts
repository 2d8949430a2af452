/** A browser without JavaScript, as small as it can be: keeps cookies, follows redirects, fills in forms. */

export interface Page {
  readonly url: URL
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

const attribute = (tag: string, name: string): string | undefined =>
  new RegExp(`\\s${name}="([^"]*)"`)
    .exec(tag)?.[1]
    ?.replaceAll('&amp;', '&')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')

export class Browser {
  readonly #cookies = new Map<string, string>()
  /** Addresses that are not fetched: an application's redirect URI, or a provider. */
  readonly #stopAt: readonly string[]

  constructor(...stopAt: readonly string[]) {
    this.#stopAt = stopAt
  }

  cookie(name: string): string | undefined {
    return this.#cookies.get(name)
  }

  /** Puts another browser's cookie in the place of this one's, as someone does who has stolen it. */
  steal(name: string, from: Browser): void {
    const value = from.cookie(name)
    if (value === undefined) throw new Error(`there is no cookie ${name}`)
    this.#cookies.set(name, value)
  }

  forget(): void {
    this.#cookies.clear()
  }

  async #fetch(url: URL, init: RequestInit): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: { ...init.headers, ...(cookie ? { cookie } : {}) },
    })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const equals = pair.indexOf('=')
      if (/Max-Age=0/.test(line)) this.#cookies.delete(pair.slice(0, equals))
      else this.#cookies.set(pair.slice(0, equals), pair.slice(equals + 1))
    }
    return response
  }

  /** Goes to an address and follows redirects, up to the application's. */
  async open(address: string | URL, init: RequestInit = {}): Promise<Page> {
    let url = new URL(address)
    let response = await this.#fetch(url, init)
    for (let hops = 0; hops < 10; hops += 1) {
      const location = response.headers.get('location')
      if (!location) break
      url = new URL(location, url)
      if (this.#stopAt.some((each) => url.href.startsWith(each)))
        return { url, status: response.status, headers: response.headers, text: '' }
      response = await this.#fetch(url, {})
    }
    return { url, status: response.status, headers: response.headers, text: await response.text() }
  }

  /** Submits the form of a page with its hidden fields and these. */
  submit(page: Page, fields: Readonly<Record<string, string>>): Promise<Page> {
    const hidden = [...page.text.matchAll(/<input type="hidden"[^>]*>/g)].map(([tag]) => [
      attribute(tag, 'name') ?? '',
      attribute(tag, 'value') ?? '',
    ])
    return this.open(page.url, {
      method: 'POST',
      body: new URLSearchParams({ ...Object.fromEntries(hidden), ...fields }),
    })
  }
}
