/** One operation of the API: closed it is a line, opened it says everything that the contract says about it. */
import { VERIFICATION_HEADER } from '@countersign/contract/account-verifications.ts'
import { openapi, routeErrors } from '@countersign/contract/openapi.ts'
import { permissionsOf, type Route } from '@countersign/contract/route.ts'
import { html, type SafeHtml } from '@remix-run/html-template'
import type { Tenant } from '../kernel/tenant.ts'
import { errorTable } from './errors.ts'
import { curlOf } from './example.ts'
import { bodyFields, bodyWords, type Direction, type Field, fieldList } from './fields.ts'
import type { Schema } from './schema-words.ts'
import { operationLink } from './sections.ts'
import { address, anchor, codeBlock, overviewAnchor, prose } from './text.ts'

interface Documented {
  readonly parameters: readonly (Field & { readonly in: 'path' | 'query' })[]
  readonly responses: Readonly<Record<string, { readonly headers?: Readonly<Record<string, Omit<Field, 'name'>>> }>>
}

/** Parameters and headers as the OpenAPI document has them, so that pagination is not described a second time. */
const documented = (route: Route): Documented => {
  const { paths } = openapi([route], { baseUrl: '', version: '' }) as {
    paths: Record<string, Record<string, Documented>>
  }
  const [path = {}] = Object.values(paths)
  return Object.values(path)[0] ?? { parameters: [], responses: {} }
}

const part = (title: string | SafeHtml, content: SafeHtml | string): SafeHtml | string =>
  content === '' ? '' : html`<h3>${title}</h3>${content}`

const method = ({ method: name }: Route): SafeHtml => html`<b class="${name.toLowerCase()}">${name}</b>`

const codes = (names: readonly string[]): SafeHtml[] =>
  names.map((name, index) => html`${index > 0 ? ', ' : ''}<code>${name}</code>`)

/** What the token of a user needs. */
const scopeLine = ({ scopes = [], proof, method: name, isFirstParty }: Route): SafeHtml => {
  const isClosed = name !== 'GET' || proof === true || isFirstParty === true
  const needed = ['openid', ...scopes]
  return html`<p>Scope${needed.length > 1 ? 's' : ''} of the user’s token: ${codes(needed)}</p>
${proof ? html`<p>Header: <code>${VERIFICATION_HEADER}</code>, the verification that permits a sensitive change</p>` : ''}
${isClosed ? html`<p>Not for third-party applications.</p>` : ''}`
}

const permissionLine = (route: Route): SafeHtml => {
  if (route.scopes) return scopeLine(route)
  const [first, second] = permissionsOf(route)
  if (!first) return html`<p>Anyone may call it; no token is needed.</p>`
  const both = second ? html` and <code>${second}</code>,` : ''
  return html`<p>Permission: <code>${first}</code>${both} or <code>all</code></p>`
}

const parameterList = (fields: readonly Field[]): SafeHtml | string =>
  fields.length > 0 ? fieldList(fields, 'request') : ''

const describedBody = (schema: Schema, direction: Direction): SafeHtml => {
  const fields = bodyFields(schema, direction)
  return html`<p class="kind">${bodyWords(schema)}${fields.length > 0 ? ' with these fields:' : '.'}</p>${fields}`
}

const requestBody = ({ body, upload }: Route): SafeHtml | string => {
  if (upload)
    return html`<p class="kind"><code>multipart/form-data</code> with one file, in the field <code>file</code>.</p>`
  return body ? describedBody(body as Schema, 'request') : ''
}

const response = ({ response: schema }: Route, home: Route | undefined): SafeHtml => {
  if (!schema) return html`<p class="kind">Without a body.</p>`
  if (home) {
    return html`<p class="kind">${bodyWords(schema as Schema)} with the same fields as the response of
<a href="${operationLink(home)}">${prose(home.summary)}</a>.</p>`
  }
  return describedBody(schema as Schema, 'answer')
}

const responseHeaders = ({ status }: Route, { responses }: Documented): SafeHtml | string => {
  const headers = Object.entries(responses[status]?.headers ?? {})
  if (headers.length === 0) return ''
  const fields = headers.map(([name, header]) => ({ ...header, name, required: true }))
  return html`<h4>Headers</h4>${fieldList(fields, 'answer')}`
}

/** The errors of the operation's own; those of its kind, which Conventions explains, by code. */
const errorPart = (route: Route): SafeHtml => {
  const own = route.errors ?? []
  const shared = routeErrors({ ...route, errors: [] }).filter((code) => !own.includes(code))
  return html`${own.length > 0 ? errorTable(own) : ''}<p>${own.length > 0 ? 'And those' : 'Those'} that
<a href="${overviewAnchor('about-errors')}">many operations share</a>: ${codes(shared)}.</p>`
}

/**
 * An operation, closed until it is asked for; its anchor is inside, so that a link to it opens it.
 * @param home the operation where the fields of the response are shown, if that is not this one
 */
export const operation = (route: Route, { managementApi }: Tenant, home?: Route): SafeHtml => {
  const facts = documented(route)
  const parameters = (place: string) => parameterList(facts.parameters.filter((parameter) => parameter.in === place))
  return html`<details class="operation">
<summary><h2>${method(route)} <code>${address(route.path)}</code> <span>${prose(route.summary)}</span></h2></summary>
<div class="facts" id="${route.id}">
${route.description ? html`<p>${prose(route.description)}</p>` : ''}
<div class="meta">${permissionLine(route)}<p>Operation: <a href="${anchor(route.id)}"><code>${route.id}</code></a></p></div>
${part('Path parameters', parameters('path'))}
${part('Query parameters', parameters('query'))}
${part('Request body', requestBody(route))}
${part(html`Response <span class="status">${route.status}</span>`, html`${response(route, home)}${responseHeaders(route, facts)}`)}
${part('Errors', errorPart(route))}
${part('Example', codeBlock(curlOf(route, managementApi)))}
</div>
</details>
`
}
