/** The side navigation: beside the text on a wide screen, folded above it on a narrow one. */
import type { Route } from '@countersign/contract/route.ts'
import { html, type SafeHtml } from '@remix-run/html-template'
import { isOfAccount, operationLink, type Section } from './sections.ts'
import { overviewAnchor, prose } from './text.ts'

type Entry = readonly [href: string, title: string]

const BEFORE: readonly Entry[] = [
  [overviewAnchor('about-token'), 'Get a token'],
  [overviewAnchor('about-conventions'), 'Conventions'],
]
const AFTER: readonly Entry[] = [
  [overviewAnchor('about-permissions'), 'Permissions'],
  [overviewAnchor('about-event-types'), 'Webhook events'],
]

export const sectionLink = ({ id }: Section): string => `/api/docs/${encodeURIComponent(id)}`

const entry = ([href, title]: Entry): SafeHtml => html`<li><a href="${href}">${title}</a></li>
`

/** What an operation does, as far as one line holds it. */
const label = ({ summary }: Route): SafeHtml[] => prose(summary.split(/[;,]/)[0] ?? summary)

const operations = (routes: readonly Route[]): SafeHtml => html`
<ul>${routes.map(
  (route) => html`<li><a href="${operationLink(route)}">${label(route)}</a></li>
`,
)}</ul>`

const here = (section: Section, current: Section | undefined): SafeHtml =>
  section === current ? html`aria-current="page"` : html``

const group = (
  section: Section,
  current: Section | undefined,
): SafeHtml => html`<li><a href="${sectionLink(section)}" ${here(section, current)}>${section.title}</a>${section === current ? operations(section.routes) : ''}</li>
`

const accountSections = (sections: readonly Section[], current: Section | undefined): SafeHtml | string => {
  const own = sections.filter(isOfAccount)
  if (own.length === 0) return ''
  return html`<p>Account API</p>
<ul class="tags">${own.map((section) => group(section, current))}</ul>
`
}

/** Both forms of the navigation; the style sheet shows one of them. @param current undefined: the first page */
export const navigation = (
  sections: readonly Section[],
  current?: Section,
): SafeHtml => html`<nav class="side" aria-label="Contents">
<ul>${BEFORE.map(entry)}</ul>
<p>Management API</p>
<ul class="tags">${sections.filter((section) => !isOfAccount(section)).map((section) => group(section, current))}</ul>
${accountSections(sections, current)}<p>Reference</p>
<ul>${AFTER.map(entry)}</ul>
</nav>
<details class="menu"><summary>Contents</summary>
<nav aria-label="Sections">
<ul>${[...BEFORE, ...sections.map((section): Entry => [sectionLink(section), section.title]), ...AFTER].map(entry)}</ul>
</nav>
</details>
`
