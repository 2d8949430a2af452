/** The reference of the Management API and the Account API as pages of HTML: pure functions of the routes and the tenant's addresses. */
import { createHash } from 'node:crypto'
import type { Route } from '@countersign/contract/route.ts'
import { html, type SafeHtml } from '@remix-run/html-template'
import { styleSheet } from '../http/style-sheet.ts'
import type { Tenant } from '../kernel/tenant.ts'
import { eventCatalogue, permissionCatalogue } from './catalogues.ts'
import { conventions } from './conventions.ts'
import { homesOf } from './homes.ts'
import { accountIntroduction, introduction } from './introduction.ts'
import { navigation, sectionLink } from './navigation.ts'
import { operation } from './operation.ts'
import { redirectUris } from './redirect-uris.ts'
import { isOfAccount, type Section, sectionsOf } from './sections.ts'

const STYLE = styleSheet(new URL('./reference.css', import.meta.url))

/** Nothing but our own style sheet applies, and nothing is loaded: there is no script on the page. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "img-src 'self' data:",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "form-action 'none'",
].join('; ')

const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1d4f91"/><path d="M8 17l5 5L24 10" fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"/></svg>',
)}`

interface Parts {
  readonly title: string
  readonly version: string
  readonly navigation: SafeHtml
  readonly content: SafeHtml
}

const frame = ({ title, version, navigation: contents, content }: Parts): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${ICON}">
<style>${html.raw`${STYLE}`}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header><p><a href="/api/docs"><strong>Countersign</strong> <span>API reference</span></a></p><p>Version ${version}</p></header>
<div class="columns">
${contents}<main id="content" tabindex="-1">
${content}</main>
</div>
</body>
</html>
`.toString()

const summaryOf = (
  section: Section,
): SafeHtml => html`<li><div><a href="${sectionLink(section)}">${section.title}</a></div><div>${section.routes.length} ${section.routes.length === 1 ? 'operation' : 'operations'}</div></li>
`

const accountPart = (sections: readonly Section[], tenant: Tenant): SafeHtml | string => {
  const own = sections.filter(isOfAccount)
  if (own.length === 0) return ''
  return html`<section aria-labelledby="about-account">
<h2 id="about-account">Account API</h2>
${accountIntroduction(tenant)}<ul class="fields">${own.map(summaryOf)}</ul>
</section>
`
}

/** The first page: how to begin, what holds for every operation, and where the operations are. */
export const overviewPage = (routes: readonly Route[], tenant: Tenant, version: string): string => {
  const sections = sectionsOf(routes)
  const content = html`<h1>Management API</h1>
<p class="lead">Manage applications, API resources, roles and everything else of this Countersign server at
<code>${tenant.managementApi}</code>.</p>
<p>For tools there is the same as <a href="${tenant.managementApi}/openapi.json">an OpenAPI 3.1 document</a>.</p>
${introduction(tenant)}<section aria-labelledby="about-operations">
<h2 id="about-operations">Operations</h2>
<ul class="fields">${sections.filter((section) => !isOfAccount(section)).map(summaryOf)}</ul>
</section>
${accountPart(sections, tenant)}${conventions(routes)}${redirectUris(tenant)}${permissionCatalogue()}${eventCatalogue()}`
  return frame({ title: 'Countersign Management API', version, navigation: navigation(sections), content })
}

/** The page of a group of operations; undefined when there is no such group. */
export const sectionPage = (
  routes: readonly Route[],
  tenant: Tenant,
  version: string,
  id: string,
): string | undefined => {
  const sections = sectionsOf(routes)
  const section = sections.find((each) => each.id === id)
  if (!section) return undefined
  const homes = homesOf(routes)
  const content = html`<h1>${section.title}</h1>
${section.routes.map((route) => operation(route, tenant, homes.get(route)))}`
  const title = `${section.title} · Countersign ${isOfAccount(section) ? 'Account' : 'Management'} API`
  return frame({ title, version, navigation: navigation(sections, section), content })
}
