/** What holds for every operation: errors, pagination, times, ids, bodies. */
import { routeErrors } from '@countersign/contract/openapi.ts'
import type { Route } from '@countersign/contract/route.ts'
import { html, type SafeHtml } from '@remix-run/html-template'
import { errorTable } from './errors.ts'
import { codeBlock } from './text.ts'

const ERROR_EXAMPLE = `{
  "code": "entity.not_exists_with_id",
  "message": "There is no role with the id a8k2m0q4v6x1c3b5n7z9e.",
  "data": { "entity": "role", "id": "a8k2m0q4v6x1c3b5n7z9e" },
  "requestId": "q4v6x1c3b5n7z9ea8k2m0"
}`

/** The codes that follow from what a route is, rather than from what it does. */
const sharedCodes = (routes: readonly Route[]) => [
  ...routes.flatMap((route) => routeErrors({ ...route, errors: [] })),
  'server.error' as const,
]

/** The section on conventions. */
export const conventions = (routes: readonly Route[]): SafeHtml => html`<section aria-labelledby="about-conventions">
<h2 id="about-conventions">Conventions</h2>
<h3 id="about-bodies">Requests and answers</h3>
<p>Bodies are JSON with names in camelCase. A request body may be up to 1 MiB and needs
<code>Content-Type: application/json</code>. Fields and query parameters that an operation does not know are ignored.
Where a body has such fields, an answer of success names them in the header <code>Ignored-Members</code>: JSON pointers in their
URI form (RFC 6901), separated by commas, as in <code>/descripton, /profile/nickName</code>. It names at most 20 and ends with
<code>...</code> when there are more.</p>
<h3 id="about-errors">Errors</h3>
<p>An error has a status of 400 or above and this body. Decide by <code>code</code>: it does not change. The
<code>message</code> is for people. <code>data</code> is there when there is more to say, and <code>requestId</code>
finds the request in the server’s log.</p>
${codeBlock(ERROR_EXAMPLE)}
<p>Many operations share these; each operation names all that it can answer.</p>
${errorTable(sharedCodes(routes))}
<h3 id="about-pagination">Pagination</h3>
<p>Operations that list take <code>page</code> (from 1) and <code>page_size</code> (20 by default, at most 100), and
answer with the headers <code>Total-Number</code> and <code>Link</code>. Where there is a <code>Next-Cursor</code>, send
it as <code>after</code> to get the next page: that costs the same on every page, however long the list is; a page far
down the list by its number does not. On very long lists the total is capped at 10,000;
<code>Total-Number-Is-Capped: true</code> says so. Where <code>page_size</code> says so, the list is whole, up to 10,000 rows,
unless a page is asked for. <code>Link</code> names the last page in any case.</p>
<h3 id="about-times">Times</h3>
<p>Times are whole milliseconds since 1970-01-01T00:00:00Z. In events they are ISO 8601 text, as in
<code>2026-11-21T09:30:00.000Z</code>. Lifetimes are in seconds.</p>
<h3 id="about-ids">Ids</h3>
<p>Ids are text of lower-case letters and digits: 12 characters for users and organizations, 21 for everything else. Do not
read anything from them.</p>
</section>
`
