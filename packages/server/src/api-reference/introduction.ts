/** What the page says first: what each API is, and how to get a token for it. */
import { html, type SafeHtml } from '@remix-run/html-template'
import type { Tenant } from '../kernel/tenant.ts'
import { shellWord } from './example.ts'
import { codeBlock } from './text.ts'

const CREDENTIALS = './data/management.json'

const tokenCommand = ({ issuer, managementApi }: Tenant): string =>
  [
    `TOKEN=$(curl -s ${shellWord(`${issuer}/token`)}`,
    `-u "$(node -p 'const c = require("${CREDENTIALS}"); c.clientId + ":" + c.clientSecret')"`,
    `-d grant_type=client_credentials -d ${shellWord(`resource=${managementApi}`)} -d scope=all`,
    `| node -p 'JSON.parse(require("fs").readFileSync(0)).access_token')`,
  ].join(' \\\n  ')

const firstCall = ({ managementApi }: Tenant): string =>
  `curl ${shellWord(`${managementApi}/applications`)} \\\n  -H "Authorization: Bearer $TOKEN"`

/** The first section of the page. */
export const introduction = (tenant: Tenant): SafeHtml => html`<section aria-labelledby="about-token">
<h2 id="about-token">Get a token</h2>
<p>Every call carries an access token of a machine-to-machine application. The first start of the server makes one that
may do everything, and keeps its credentials in <code>management.json</code> in the data directory. In the folder where
the server was started:</p>
${codeBlock(tokenCommand(tenant))}
<p>The token is valid for the resource <code>${tenant.managementApi}</code>. Call the API with it:</p>
${codeBlock(firstCall(tenant))}
<p>If the data directory is elsewhere, change the path. With a database of your own,
<code>countersign init</code> gives you the credentials. For anything but a first attempt, register an application of its
own and give it a role that holds only the <a href="#about-permissions">permissions</a> it needs.</p>
</section>
`

/** What is said of the Account API. */
export const accountIntroduction = ({ managementApi }: Tenant): SafeHtml => html`<p>Users look after their own account
through an application. Every call carries the opaque access token that the application got from the sign-in of the
user, with the scope <code>openid</code> and without <code>resource</code>. The settings at
<a href="/api/docs/account-center"><code>${managementApi}/account-center</code></a> enable this API, and say which parts of
an account users see and change. For sensitive changes a header names a
<a href="/api/docs/verifications">verification</a> of who the user is. For tools there is an
<a href="${managementApi}/.well-known/user.openapi.json">OpenAPI 3.1 document</a>.</p>
`
