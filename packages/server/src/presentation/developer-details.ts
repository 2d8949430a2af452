/**
 * What the page of a refused request tells the developer of the application: which address and which application it was
 * about. Shown while the server is at a loopback address or the tenant is in developer mode; otherwise it would reveal
 * to strangers what is registered.
 */
import { html, type SafeHtml } from '@remix-run/html-template'
import type { SignInSettings } from '../domain/sign-in/experience.ts'
import { isLoopbackUrl } from '../kernel/network.ts'
import type { Tenant } from '../kernel/tenant.ts'
import type { Language } from './language.ts'

/** The values of the request, as they were sent, and never links. */
interface Details {
  readonly redirectUri?: string | undefined
  readonly clientId?: string | undefined
  readonly client?: { readonly name: string } | undefined
}

/** Characters that are shown of an address or an id. */
const LONGEST = 512

/** Whether pages show these details at all. */
export const isForDevelopers = (tenant: Tenant, { developerMode }: SignInSettings): boolean =>
  developerMode || isLoopbackUrl(tenant.baseUrl)

/** The section of the page; nothing where nothing is known. */
export const developerDetails = (
  { phrases: { developer } }: Language,
  { baseUrl }: Tenant,
  { redirectUri, clientId, client }: Details,
): SafeHtml => {
  if (redirectUri === undefined && clientId === undefined) return html``
  const id = clientId === undefined ? html`` : html`<code id="refused-client">${clientId.slice(0, LONGEST)}</code>`
  return html`<section class="details" id="developer">
<h2>${developer.title}</h2>
<dl>
${redirectUri === undefined ? '' : html`<dt>${developer.address}</dt><dd><code id="refused-address">${redirectUri.slice(0, LONGEST)}</code></dd>`}
<dt>${developer.application}</dt><dd>${client ? html`${client.name} ` : ''}${id}</dd>
</dl>
<p class="hint"><a id="guide" href="${baseUrl}/api/docs#about-redirect-uris">${developer.guide}</a></p>
</section>
`
}
