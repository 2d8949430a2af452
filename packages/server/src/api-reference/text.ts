/** Small pieces of text: sentences with code in backticks, addresses, anchors. Everything is escaped by the template. */
import { html, type SafeHtml } from '@remix-run/html-template'

/** A sentence of the contract: what stands between backticks is shown as code. */
export const prose = (text: string): SafeHtml[] =>
  text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))

/** From this length on a name may also wrap between its words. */
const LONG_NAME = 24

/** A name or path that may wrap: after a slash, a dot or an underscore, and a long one before a capital letter. */
export const wrapping = (text: string): SafeHtml[] =>
  text
    .split(text.length < LONG_NAME ? /(?<=[/._])/ : /(?<=[/._])|(?<=[a-z])(?=[A-Z])/)
    .map((part, index) => (index === 0 ? html`${part}` : html`<wbr>${part}`))

/** The address of an operation as it is asked for, its parameters in braces and set apart. */
export const address = (path: string): SafeHtml[] =>
  `/api${path}`
    .split(/(:\w+)/)
    .map((part) => (part.startsWith(':') ? html`<wbr><var>{${part.slice(1)}}</var>` : html`${wrapping(part)}`))

/** Where a link to something on the same page points. */
export const anchor = (id: string): string => `#${encodeURIComponent(id)}`

/** Where a link to something on the first page of the reference points. */
export const overviewAnchor = (id: string): string => `/api/docs${anchor(id)}`

/** A number as people read it: 10,000. */
export const grouped = (value: number): string => value.toLocaleString('en')

/** A block of code that scrolls by itself and can be reached with the keyboard. */
export const codeBlock = (text: string): SafeHtml => html`<pre tabindex="0"><code>${text}</code></pre>`
