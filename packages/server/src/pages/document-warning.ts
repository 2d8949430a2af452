/**
 * What the consent page says of a client that is known by a document alone (DECISIONS Z5): that nobody vouches for it, where the answer
 * goes, and that a program on this computer may be somebody else's. Nothing of the document is shown but the name, as what it says of itself.
 */
import { html, type SafeHtml } from '@remix-run/html-template'
import { isLoopbackHost } from '../kernel/network.ts'
import { fill } from '../presentation/language.ts'
import type { PageContext } from './interaction-page.ts'

/** Whether an address leads to a program on the computer of the user: loopback, or a scheme of an application. */
const isOnThisComputer = ({ protocol, hostname }: URL): boolean =>
  (protocol !== 'https:' && protocol !== 'http:') || isLoopbackHost(hostname)

/** The warning; nothing for any other client. */
export const documentWarning = ({ client, interaction, language: { phrases } }: PageContext): SafeHtml => {
  const { document, name: host } = client
  if (!document) return html``
  const returnsTo = new URL(interaction.request.redirectUri)
  const { stated_name: name } = document
  const isLocal = isOnThisComputer(returnsTo)
  return html`<div class="warning" id="document-client">
<p id="stranger">${fill(phrases.documentClientStranger, { host })}</p>
${name === null ? '' : html`<p id="stated-name">${fill(phrases.documentClientName, { name })}</p>`}
${isLocal || returnsTo.host === host ? '' : html`<p id="returns-to">${fill(phrases.documentClientReturn, { host: returnsTo.host })}</p>`}
${isLocal ? html`<p id="loopback">${phrases.documentClientLoopback}</p>` : ''}
</div>
`
}
