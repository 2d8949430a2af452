/** The form with a name and a password, which sign-in and registration share. */
import { html, type SafeHtml } from '@remix-run/html-template'
import type { PageContext } from './interaction-page.ts'
import { problem } from './interaction-page.ts'
import { fill } from './language.ts'
import type { Phrases } from './phrases/en.ts'

type IdentifierType = 'username' | 'email' | 'phone'

/** "Username", or "Username or e-mail address". */
const identifierLabel = ({ identifier, or }: Phrases, types: readonly IdentifierType[]): string => {
  const [first = identifier.username, ...others] = types.map((type) => identifier[type])
  return [first, ...others.map((name) => name.charAt(0).toLowerCase() + name.slice(1))].join(or)
}

/** What browsers and password managers understand the field to be. */
const autocompleteOf = (types: readonly IdentifierType[]): string =>
  types.length === 1 && types[0] === 'email' ? 'email' : types.length === 1 && types[0] === 'phone' ? 'tel' : 'username'

export interface CredentialsForm {
  readonly title: string
  /** With `{application}`. */
  readonly lead: string
  readonly types: readonly IdentifierType[]
  readonly password: 'current-password' | 'new-password'
  readonly button: string
  readonly trouble: string | undefined
  /** What was typed before. */
  readonly identifier: string
  readonly aside: SafeHtml
}

/** Which of the two fields a keyboard starts in: the first empty one. */
const focus = (first: boolean): SafeHtml => (first ? html`autofocus` : html``)

export const credentialsForm = (
  { client, language: { phrases }, formToken }: PageContext,
  form: CredentialsForm,
): SafeHtml => {
  const isNew = form.password === 'new-password'
  const invalid = form.trouble === undefined ? html`` : html`aria-invalid="true" aria-describedby="problem"`
  return html`<h1 id="title">${form.title}</h1>
<p class="lead">${fill(form.lead, { application: client.name })}</p>
${problem(form.trouble)}
<form method="post" id="credentials">
<input type="hidden" name="token" value="${formToken}">
<div class="field">
<label for="identifier">${identifierLabel(phrases, form.types)}</label>
<input id="identifier" name="identifier" value="${form.identifier}" maxlength="256" required autocapitalize="none" spellcheck="false" autocomplete="${autocompleteOf(form.types)}" ${invalid} ${focus(form.identifier === '')}>
</div>
<div class="field">
<label for="password">${isNew ? phrases.newPassword : phrases.password}</label>
<input id="password" name="password" type="password" maxlength="256" required autocomplete="${form.password}" ${invalid} ${focus(form.identifier !== '')}>
${isNew ? html`<p class="hint" id="password-hint">${phrases.newPasswordHint}</p>` : ''}
</div>
<button type="submit" id="submit">${form.button}</button>
</form>
${form.aside}`
}
