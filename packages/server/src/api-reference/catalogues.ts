/** The lists that operations refer to: permissions of this API, and types of events. */
import { EVENT_TYPES, occasionOf } from '@countersign/contract/events.ts'
import { MANAGEMENT_PERMISSIONS, PERMISSION_RULES } from '@countersign/contract/permissions.ts'
import { html, type SafeHtml } from '@remix-run/html-template'
import { prose, wrapping } from './text.ts'

const list = (entries: readonly (readonly [string, string])[]): SafeHtml =>
  html`<ul class="fields">${entries.map(
    ([name, sentence]) => html`<li><div><code>${wrapping(name)}</code></div><div>${prose(sentence)}</div></li>
`,
  )}</ul>`

/** The section that lists every permission of the Management API. */
export const permissionCatalogue = (): SafeHtml => html`<section aria-labelledby="about-permissions">
<h2 id="about-permissions">Permissions</h2>
<p>A token carries the permissions that were asked for in <code>scope</code> and that a role of the application holds.
Each operation names the one it needs; <code>all</code> is enough for every one of them.</p>
<ul>${PERMISSION_RULES.map(
  (rule) => html`<li>${prose(rule)}</li>
`,
)}</ul>
${list(MANAGEMENT_PERMISSIONS.map(({ name, description }) => [name, description]))}
</section>
`

/** The section that lists every type of event that webhooks and the event feed bring. */
export const eventCatalogue = (): SafeHtml => html`<section aria-labelledby="about-event-types">
<h2 id="about-event-types">Webhook events</h2>
<p>What happens in a tenant is told to webhooks and kept in the event feed, as one of these types.</p>
${list(EVENT_TYPES.map((type) => [type, occasionOf(type)]))}
</section>
`
