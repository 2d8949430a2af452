/** The form that asks the browser for a passkey and brings what it gives. It needs JavaScript, and says so. */
import { html, type SafeHtml } from '@remix-run/html-template'
import { pageScript } from '../http/page-script.ts'
import type { PageContext } from './interaction-page.ts'

interface PasskeyForm {
  readonly ceremony: 'create' | 'get'
  /** For `navigator.credentials`, as JSON. */
  readonly options: unknown
  readonly button: string
  /** Hidden fields beside the token. */
  readonly fields: Readonly<Record<string, string>>
  /** Before the button. */
  readonly more?: SafeHtml
  /** Whether the button is not the main one of the page. */
  readonly isQuiet?: boolean
  readonly isShown?: boolean
  /** Whether the browser offers passkeys in a field of the page, too. */
  readonly isOffered?: boolean
}

export const passkeyForm = (
  { language: { phrases }, formToken }: Pick<PageContext, 'language' | 'formToken'>,
  { ceremony, options, button, fields, more = html``, isQuiet = false, isShown = true, isOffered = false }: PasskeyForm,
): SafeHtml => html`<p class="problem" role="alert" id="passkey-problem" hidden>${phrases.passkeyFailed}</p>
<form method="post" id="passkey" data-ceremony="${ceremony}" data-shown="${isShown}" data-offered="${isOffered}" data-passkey="${JSON.stringify(options)}">
<input type="hidden" name="token" value="${formToken}">
<input type="hidden" name="payload" value="">
${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${isQuiet ? html`` : html`<noscript><p class="hint">${phrases.passkeyScript}</p></noscript>`}
${more}
<button type="button" id="use-passkey" ${isQuiet ? html`class="quiet"` : html``} hidden>${button}</button>
</form>
${pageScript('PASSKEY')}`

/** What a browser brought. Undefined: nothing that could be an answer. */
export const broughtPasskey = <T>(text: string): T | undefined => {
  if (text === '') return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' &&
      value !== null &&
      'id' in value &&
      typeof value.id === 'string' &&
      'response' in value
      ? (value as T)
      : undefined
  } catch {
    return undefined
  }
}
