/** Lists of the account pages: what there is, and the link that changes it. */
import { html, type SafeHtml } from '@remix-run/html-template'
import { fill } from '../../presentation/language.ts'

interface RowLink {
  readonly id: string
  readonly href: string
  readonly text: string
  /** What it is about, for readers who hear only the link. */
  readonly about: string
}

interface Row {
  /** May be one that a person chose. */
  readonly name: string
  /** Below it, one line each. */
  readonly details: readonly string[]
  readonly links?: readonly RowLink[]
}

const linkOf = ({ id, href, text, about }: RowLink): SafeHtml =>
  html`<a id="${id}" href="${href}" aria-label="${text}: ${about}">${text}</a>`

export const rowList = (rows: readonly Row[]): SafeHtml => html`<ul class="rows">
${rows.map(
  ({ name, details, links = [] }) =>
    html`<li><div><strong>${fill('{name}', { name })}</strong>${details.map((detail) => html`<small>${detail}</small>`)}</div>${links.length > 0 ? html`<span>${links.map(linkOf)}</span>` : ''}</li>
`,
)}</ul>`
