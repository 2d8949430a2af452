/** What an application or a device asks for, in words: OpenID Connect's scopes as sentences, permissions as they are described. */
import { html, type SafeHtml } from '@remix-run/html-template'
import { canonicalName } from '../domain/reserved-names.ts'
import { scopeDescriptions } from '../domain/scope-descriptions.ts'
import type { PageContext } from './interaction-page.ts'

export const scopeList = async ({ store, exchange, interaction, language }: PageContext): Promise<SafeHtml> => {
  const { scopes, resources } = interaction.request
  const known = new Map<string, string>(Object.entries(language.phrases.scope))
  const permissions = scopes.filter((scope) => !known.has(canonicalName(scope)))
  const described = await scopeDescriptions(store, exchange.tenant, resources, permissions)
  const items = scopes.map((scope) => {
    const description = described.get(scope)
    return description === undefined
      ? html`<li>${known.get(canonicalName(scope)) ?? scope}</li>`
      : html`<li>${description}<small>${scope}</small></li>`
  })
  return items.length > 0 ? html`<ul class="scopes">${items}</ul>` : html``
}
