/**
 * What an application or a device asks for, in words: OpenID Connect scopes as sentences, then for each API the
 * descriptions of its permissions. The same name at two APIs means two permissions and is shown twice.
 */
import { html, type SafeHtml } from '@remix-run/html-template'
import { requestedConsent } from '../domain/access/requested-consent.ts'
import {
  type DescribedPermission,
  describedApis,
  describedOrganizationPermissions,
} from '../domain/access/scope-descriptions.ts'
import { DEVICE_SSO_SCOPE, isGrantScope, isOidcScope } from '../domain/permissions/oidc-scopes.ts'
import { canonicalName } from '../domain/permissions/reserved-names.ts'
import type { Session } from '../domain/sessions/sessions.ts'
import { scopesToConsent } from '../domain/sign-in/requested-claims.ts'
import { apisOfDetails } from './details-list.ts'
import type { PageContext } from './interaction-page.ts'

/** A request as the consent pages see it. */
export interface Asked {
  /** Ids of APIs and permissions; undefined for a first-party application. */
  readonly ids: readonly string[] | undefined
  /**
   * For the hidden field: the form is valid as long as the same consent is asked for in the same session (SECURITY
   * R-33).
   */
  readonly formToken: string
}

/** @param session of the user who is asked */
export const askedOf = async (
  { store, exchange, client, interaction, formToken }: PageContext,
  session: Session,
): Promise<Asked> => {
  const ids = await requestedConsent(store, exchange.tenant, client, interaction.request)
  const told = [formToken, session.id, ...(ids ?? [])].join(' ')
  return { ids, formToken: store.vault.authenticate(told, 'consent-form').toString('base64url') }
}

interface Group {
  readonly name: string
  /** Shown if the name is not enough to tell one API from another. */
  readonly indicator?: string
  readonly permissions: readonly DescribedPermission[]
}

/** What is requested beyond OpenID Connect scopes: for each API in the order of the request, then in organizations. */
const groupsOf = async (context: PageContext, { ids }: Asked): Promise<readonly Group[]> => {
  const {
    store,
    exchange: { tenant },
    interaction: { request },
    language,
  } = context
  const asked = ids && new Set(ids)
  const isAsked = ({ id }: { readonly id: string }): boolean => asked?.has(id) ?? true
  const names = request.scopes.filter((scope) => !isOidcScope(scope))
  const [withDetails, described, ofOrganizations] = await Promise.all([
    apisOfDetails(context),
    describedApis(store, tenant, request.resources, names),
    describedOrganizationPermissions(store, tenant, request, names),
  ])
  const apis = described.filter(isAsked).flatMap(({ id, name, indicator, permissions }) => {
    const shown = permissions.filter(isAsked)
    // what is asked for of it in detail is told before
    if (shown.length === 0 && withDetails.has(id)) return []
    const isAmbiguous = described.filter((api) => api.name === name).length > 1
    return [{ name, ...(isAmbiguous ? { indicator } : {}), permissions: shown }]
  })
  const inOrganizations = { name: language.phrases.inOrganizations, permissions: ofOrganizations.filter(isAsked) }
  return inOrganizations.permissions.length > 0 ? [...apis, inOrganizations] : apis
}

const itemOf = ({ name, description }: DescribedPermission): SafeHtml =>
  description ? html`<li>${description}<small>${name}</small></li>` : html`<li>${name}</li>`

const listOf = (items: readonly SafeHtml[]): SafeHtml =>
  items.length > 0 ? html`<ul class="scopes">${[...items]}</ul>` : html``

/** @param heading the level of an API's heading: one below the heading above the list */
export const scopeList = async (context: PageContext, asked: Asked, heading: 'h2' | 'h3'): Promise<SafeHtml> => {
  const { request } = context.interaction
  const scopes =
    asked.ids === undefined
      ? request.scopes.filter((scope) => !isGrantScope(scope) && scope !== DEVICE_SSO_SCOPE)
      : scopesToConsent(request)
  const { phrases } = context.language
  const groups = await groupsOf(context, asked)
  const shown = new Set(groups.flatMap(({ permissions }) => permissions.map(({ name }) => name)))
  const sentences = new Map<string, string>(Object.entries(phrases.scope))
  // for a first-party application also names that no API has, which a third-party one never gets
  const others = scopes.filter((scope) => isOidcScope(scope) || (asked.ids === undefined && !shown.has(scope)))
  const sections = groups.map(({ name, indicator, permissions }) => {
    const title = html`${name}${indicator === undefined ? '' : html`<small>${indicator}</small>`}`
    return html`<section class="api">
${heading === 'h2' ? html`<h2>${title}</h2>` : html`<h3>${title}</h3>`}
${permissions.length > 0 ? listOf(permissions.map(itemOf)) : html`<p class="hint">${phrases.noPermissions}</p>`}
</section>
`
  })
  return html`${listOf(others.map((scope) => html`<li>${sentences.get(canonicalName(scope)) ?? scope}</li>`))}
${sections}`
}
