/** Error codes as tables: status, code, sentence. */
import { API_ERRORS, type ApiErrorCode, statusesOf } from '@countersign/contract/errors.ts'
import { html, type SafeHtml } from '@remix-run/html-template'
import { prose, wrapping } from './text.ts'

/** A table of errors, by status. */
export const errorTable = (codes: readonly ApiErrorCode[]): SafeHtml => html`<table class="errors">
<thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Message</th></tr></thead>
<tbody>${[...new Set(codes)]
  .flatMap((code) => statusesOf(code).map((status) => ({ code, status })))
  .sort((a, b) => a.status - b.status)
  .map(({ code, status }) => {
    const [, sentence] = API_ERRORS[code]
    return html`<tr><td>${status}</td><td><code>${wrapping(code)}</code></td><td>${prose(sentence)}</td></tr>
`
  })}</tbody>
</table>`
