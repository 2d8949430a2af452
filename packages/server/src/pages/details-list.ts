/**
 * What a user is asked to approve in detail (RFC 9396), in words: the sentence of its type in their language, with every value told apart
 * from the words of the tenant, and everything the object says behind it.
 */

import { detailSentence, detailText, templateFor } from '@countersign/contract/details-template.ts'
import { html, type SafeHtml } from '@remix-run/html-template'
import { type AuthorizationDetail, storedDetails } from '../domain/access/authorization-details.ts'
import { type DetailsType, detailsTypes } from '../domain/permissions/authorization-details-types.ts'
import { fill } from '../presentation/language.ts'
import type { PageContext } from './interaction-page.ts'

/** Of which at least one character takes up ink: a gap in a sentence would not be noticed. */
const VISIBLE = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}]/u

/** A value that anyone may have written: it ends where it ends, whatever its direction. */
const shownValue = (value = ''): SafeHtml =>
  html`<bdi>${fill('{value}', { value: VISIBLE.test(value) ? value : '–' })}</bdi>`

type Members = Readonly<Record<string, unknown>>

/** An object that says something, whose members are shown each for itself. */
const isNested = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0

/** Members of members have the names of both: `instructedAmount › amount`. */
const membersOf = (members: Members, within: readonly SafeHtml[] = []): SafeHtml[] =>
  Object.entries(members).flatMap(([name, value]) => {
    const path = [...within, shownValue(name)]
    if (isNested(value)) return membersOf(value, path)
    const title = path.map((part, index) => (index === 0 ? part : html` › ${part}`))
    return [html`<li>${title}<small>${shownValue(detailText(value))}</small></li>`]
  })

const sentenceOf = (detail: AuthorizationDetail, type: DetailsType | undefined, language: string): SafeHtml => {
  const template = type && templateFor(type.templates, language)
  if (template === undefined) return html`${type?.description ?? shownValue(detail.type)}`
  const parts = detailSentence(template, detail).map((part) =>
    'words' in part ? html`${part.words}` : html`<strong>${shownValue(part.value)}</strong>`,
  )
  return html`${parts}`
}

/** The ids of the APIs that details of the request are for. */
export const apisOfDetails = async ({
  store,
  exchange,
  interaction: { request },
}: PageContext): Promise<ReadonlySet<string>> => {
  const details = storedDetails(request.authorizationDetails)
  if (details.length === 0) return new Set()
  const types = await detailsTypes(store, exchange.tenant)
  return new Set(details.flatMap(({ type }) => types.get(type)?.resourceId ?? []))
}

/** @param heading the level of its heading */
export const detailsList = async (
  { store, exchange, interaction: { request }, language: { tag, phrases } }: PageContext,
  heading: 'h2' | 'h3',
): Promise<SafeHtml> => {
  const details = storedDetails(request.authorizationDetails)
  if (details.length === 0) return html``
  const types = await detailsTypes(store, exchange.tenant)
  const items = details.map(
    (detail) => html`<li><div dir="auto">${sentenceOf(detail, types.get(detail.type), tag)}</div>
<details><summary>${phrases.allDetails}</summary><ul class="scopes">${membersOf(detail)}</ul></details></li>`,
  )
  const title = heading === 'h2' ? html`<h2>${phrases.approveDetails}</h2>` : html`<h3>${phrases.approveDetails}</h3>`
  return html`<section class="api" id="details">
${title}
<ul class="scopes">${items}</ul>
</section>
`
}
