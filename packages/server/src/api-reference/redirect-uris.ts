/** The section that the page of a refused authorization request links to: how redirect URIs are registered and compared. */
import { html, type SafeHtml } from '@remix-run/html-template'
import type { Tenant } from '../kernel/tenant.ts'
import { shellWord } from './example.ts'
import { codeBlock } from './text.ts'

const registering = ({ managementApi }: Tenant): string =>
  `curl -X PATCH ${shellWord(`${managementApi}/applications/APPLICATION_ID`)} \\
  -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d '{"oidcClientMetadata":{"redirectUris":["https://app.example/callback"]}}'`

/** The section. */
export const redirectUris = (tenant: Tenant): SafeHtml => html`<section aria-labelledby="about-redirect-uris">
<h2 id="about-redirect-uris">Redirect URIs</h2>
<p>After sign-in the browser returns to the <code>redirect_uri</code> of the authorization request, if it is one of the
application’s <code>redirectUris</code>. They are compared byte for byte: scheme, host, port, path, and a slash at the end all
count. Only a native application may use another port at <code>127.0.0.1</code> or <code>[::1]</code>. A request with any
other address is refused on a page, and nothing is sent there.</p>
<p>The list is replaced as a whole, so send the addresses that stay as well:</p>
${codeBlock(registering(tenant))}
<p>The page of a refusal names the address and the application while the server is at a loopback address, and anywhere with
<code>developerMode</code> in the <a href="/api/docs/sign-in-exp">sign-in settings</a>. The server’s log and the audit entry
<code>Interaction.Authorize</code> always do; both hold the request number that stands on the page. More is in
<code>docs/guides/sign-in.md</code>.</p>
</section>
`
