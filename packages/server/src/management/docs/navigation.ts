/** The side navigation: beside the text on a wide screen, folded above it on a narrow one. */
import type { Route } from '@countersign/contract/route.ts'
import { html, type SafeHtml } from '@remix-run/html-template'
import type { Section } from './sections.ts'
import { anchor, prose } from './text.ts'

const BEFORE = [
  ['about-token', 'Get a token'],
  ['about-conventions', 'Conventions'],
] as const
const AFTER = [
  ['about-permissions', 'Permissions'],
  ['about-event-types', 'Webhook events'],
] as const

const link = (id: string, title: string): SafeHtml => html`<a href="${anchor(id)}">${title}</a>`
const entry = ([id, title]: readonly [string, string]): SafeHtml => html`<li>${link(id, title)}</li>
`

/** What an operation does, as far as one line holds it. */
const label = ({ summary }: Route): SafeHtml[] => prose(summary.split(/[;,]/)[0] ?? summary)

const operations = ({ id, title, routes }: Section): SafeHtml => html`<li>${link(id, title)}
<ul>${routes.map(
  (route) => html`<li><a href="${anchor(route.id)}">${label(route)}</a></li>
`,
)}</ul></li>
`

/** Both forms of the navigation; the style sheet shows one of them. */
export const navigation = (sections: readonly Section[]): SafeHtml => html`<nav class="side" aria-label="Contents">
<ul>${BEFORE.map(entry)}</ul>
<p>Operations</p>
<ul class="tags">${sections.map(operations)}</ul>
<p>Reference</p>
<ul>${AFTER.map(entry)}</ul>
</nav>
<details class="menu"><summary>Contents</summary>
<nav aria-label="Sections">
<ul>${[...BEFORE, ...sections.map(({ id, title }) => [id, title] as const), ...AFTER].map(entry)}</ul>
</nav>
</details>
`
