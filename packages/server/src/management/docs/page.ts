/** The reference of the Management API as one page of HTML: a pure function of the routes and the tenant's addresses. */
import { createHash } from 'node:crypto'
import type { Route } from '@countersign/contract/route.ts'
import { html, type SafeHtml } from '@remix-run/html-template'
import type { Tenant } from '../../kernel/tenant.ts'
import { eventCatalogue, permissionCatalogue } from './catalogues.ts'
import { conventions } from './conventions.ts'
import { homesOf } from './homes.ts'
import { introduction } from './introduction.ts'
import { navigation } from './navigation.ts'
import { operation } from './operation.ts'
import { type Section, sectionsOf } from './sections.ts'
import { STYLE } from './style.ts'

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

const part = (
  { id, title, routes }: Section,
  tenant: Tenant,
  homes: ReadonlyMap<Route, Route>,
): SafeHtml => html`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${routes.map((route) => operation(route, tenant, homes.get(route)))}</section>
`

/** Renders the page. */
export const docsPage = (routes: readonly Route[], tenant: Tenant, version: string): string => {
  const sections = sectionsOf(routes)
  const homes = homesOf(routes)
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Countersign Management API</title>
<link rel="icon" href="${ICON}">
<style>${html.raw`${STYLE}`}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header><p><strong>Countersign</strong> <span>API reference</span></p><p>Version ${version}</p></header>
<div class="columns">
${navigation(sections)}<main id="content" tabindex="-1">
<h1>Management API</h1>
<p class="lead">Manage applications, API resources, roles and everything else of this Countersign server at
<code>${tenant.managementApi}</code>.</p>
<p>For tools there is the same as <a href="${tenant.managementApi}/openapi.json">an OpenAPI 3.1 document</a>.</p>
${introduction(tenant)}${conventions(routes)}${sections.map((section) => part(section, tenant, homes))}${permissionCatalogue()}${eventCatalogue()}</main>
</div>
</body>
</html>
`.toString()
}
