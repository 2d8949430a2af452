/** The buttons of the providers at which users sign in: with their marks, and with the one that this browser used last named. */
import { html, type SafeHtml } from '@remix-run/html-template'
import type { SocialConnector } from '../domain/sign-in/social-connectors.ts'
import { readCookie } from '../http/cookies.ts'
import { fill, type Language } from '../presentation/language.ts'
import type { PageContext } from './interaction-page.ts'

/** The cookie with the target that was used last. */
export const LAST_USED = 'social'

/** A name in the language of the page. @param name by language */
export const nameIn = ({ tag }: Pick<Language, 'tag'>, name: SocialConnector['name']): string =>
  name[tag] ?? name.en ?? Object.values(name)[0] ?? ''

/** The name of a provider in the language of the page. */
export const providerName = ({ language }: PageContext, { name }: SocialConnector): string => nameIn(language, name)

type Logos = Pick<SocialConnector, 'logo' | 'logoDark'>

/** Within the page, or at the address that the operator has set. */
const isShown = (logo: string | null): logo is string => logo !== null && /^(data:|https:)/.test(logo)

/** The marks that a page loads from elsewhere: its policy has to name their origins. */
export const marksElsewhere = (all: readonly Logos[]): readonly string[] =>
  all.flatMap(({ logo, logoDark }) => [logo, logoDark ?? '']).filter((each) => each.startsWith('https:'))

/** The mark of a provider; a page that shows it names `marksElsewhere` in its policy. */
export const mark = ({ logo, logoDark }: Logos): SafeHtml => {
  if (!isShown(logo)) return html``
  if (!isShown(logoDark)) return html`<img src="${logo}" alt="" width="20" height="20">`
  return html`<img class="logo-light" src="${logo}" alt="" width="20" height="20"><img class="logo-dark" src="${logoDark}" alt="" width="20" height="20">`
}

const button = (context: PageContext, connector: SocialConnector, isLast: boolean): SafeHtml => {
  const { phrases } = context.language
  const label = fill(phrases.continueWith, { provider: providerName(context, connector) })
  const last = isLast ? html` <small>${phrases.lastUsed}</small>` : html``
  return html`<button type="submit" class="quiet social" id="social-${connector.target}" name="connector" value="${connector.id}" formaction="/social/${context.interaction.id}" formnovalidate>${mark(connector)}<span>${label}${last}</span></button>`
}

/** Within the form of the page, after its main button. */
export const socialButtons = (context: PageContext): SafeHtml => {
  const { experience, exchange } = context
  const last = readCookie(exchange, LAST_USED)
  return html`${experience.socialConnectors.map((each) => button(context, each, each.target === last))}`
}

/** Where forms with these buttons lead to: the providers. A tenant at plain http, in a test, may have one there as well. */
export const providerTargets = ({ experience, exchange, interaction }: PageContext): readonly string[] => [
  interaction.request.redirectUri,
  ...(experience.socialConnectors.length > 0 || experience.hasSso
    ? ['https://provider.invalid', exchange.tenant.baseUrl]
    : []),
]
