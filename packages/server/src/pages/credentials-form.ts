/** The form with a name and mostly a password, which sign-in and registration share. */
import { html, type SafeHtml } from '@remix-run/html-template'
import { shownName } from '../domain/applications/look.ts'
import { pageScript } from '../http/page-script.ts'
import { fill, type Language } from '../presentation/language.ts'
import type { FormError } from './form-error.ts'
import type { PageContext } from './interaction-page.ts'
import { problem } from './interaction-page.ts'

type IdentifierType = 'username' | 'email' | 'phone'

/** "Username", or "Username or email address". */
export const identifierLabel = (
  { phrases: { identifier, identifierInList }, alternatives }: Language,
  types: readonly IdentifierType[],
): string => {
  const [first = 'username', ...others] = types
  return alternatives([identifier[first], ...others.map((type) => identifierInList[type])])
}

/** Which keys a phone shows for the field. Password managers know it as the name that belongs to the password. */
export const inputModeOf = (types: readonly IdentifierType[]): string => {
  if (types.length === 1 && types[0] === 'phone') return 'tel'
  return types.includes('email') ? 'email' : 'text'
}

export interface CredentialsForm {
  readonly title: string
  /** With `{application}`. */
  readonly lead: string
  readonly types: readonly IdentifierType[]
  /** Whether there is a field for a name; by default there is. */
  readonly hasName?: boolean
  /** undefined: it asks for none. */
  readonly password: 'current-password' | 'new-password' | undefined
  /** Whether a name may be enough: its address may lead to the identity provider of a company. */
  readonly isPasswordOptional?: boolean
  /** Another button, after the main one. */
  readonly otherButton?: SafeHtml
  /** undefined: only the other button. */
  readonly button: string | undefined
  readonly errorText: string | undefined
  /** The invalid field, if it is one of them. */
  readonly errorField?: FormError['field']
  /** Good news, such as that the password was changed. */
  readonly notice?: string | undefined
  /** What was typed before. */
  readonly identifier: string
  /** The check box for the terms, where there is one. */
  readonly terms: SafeHtml
  /** The captcha, where one has to be passed. */
  readonly captcha: SafeHtml
  readonly aside: SafeHtml
  /** Whether the browser offers passkeys in the name field. */
  readonly hasPasskeys?: boolean
}

interface PasswordField {
  readonly autocomplete: 'current-password' | 'new-password'
  readonly label: string
  readonly isInvalid: boolean
  readonly isFirst: boolean
  readonly isOptional?: boolean
}

/** A field for a password, with the rule for a new one below it. */
export const passwordField = (
  { language: { phrases }, experience }: Pick<PageContext, 'language' | 'experience'>,
  { autocomplete, label, isInvalid, isFirst, isOptional = false }: PasswordField,
): SafeHtml => {
  const isNew = autocomplete === 'new-password'
  const described = [isInvalid ? 'problem' : '', isNew ? 'password-hint' : ''].filter(Boolean).join(' ')
  const about = described ? html`aria-describedby="${described}"` : html``
  const minimum = String(experience.passwordPolicy.length.min)
  return html`<div class="field">
<label for="password">${label}</label>
<div class="secret"><input id="password" name="password" type="password" maxlength="256" ${isOptional ? html`` : html`required`} autocapitalize="none" autocorrect="off" spellcheck="false" autocomplete="${autocomplete}" data-show="${phrases.show}" data-show-label="${phrases.showPassword}" data-hide="${phrases.hide}" data-hide-label="${phrases.hidePassword}" ${isInvalid ? html`aria-invalid="true"` : html``} ${about} ${focus(isFirst)}></div>
${isNew ? html`<p class="hint" id="password-hint">${fill(phrases.newPasswordHint, { min: minimum })}</p>` : ''}
</div>`
}

/** Which of the two fields has the focus: the invalid one, or the first empty one. */
export const focus = (first: boolean): SafeHtml => (first ? html`autofocus` : html``)

export const credentialsForm = (context: PageContext, form: CredentialsForm): SafeHtml => {
  const { client, language, formToken } = context
  const { phrases } = language
  const isAtFault = (field: FormError['field']) => form.errorText !== undefined && (form.errorField ?? field) === field
  const invalid = isAtFault('identifier') ? html`aria-invalid="true" aria-describedby="problem"` : html``
  const isNameFirst = form.identifier === '' || form.errorField === 'identifier' || form.password === undefined
  const password =
    form.password === undefined
      ? html``
      : passwordField(context, {
          autocomplete: form.password,
          label: form.password === 'new-password' ? phrases.newPassword : phrases.password,
          isInvalid: isAtFault('password'),
          isFirst: !isNameFirst,
          isOptional: form.isPasswordOptional ?? false,
        })
  const name =
    form.hasName === false
      ? html``
      : html`<div class="field">
<label for="identifier">${identifierLabel(language, form.types)}</label>
<input id="identifier" name="identifier" value="${form.identifier}" maxlength="256" required autocapitalize="none" autocorrect="off" spellcheck="false" autocomplete="${form.hasPasskeys ? 'username webauthn' : 'username'}" inputmode="${inputModeOf(form.types)}" ${invalid} ${focus(isNameFirst)}>
</div>`
  return html`<h1 id="title">${form.title}</h1>
<p class="lead">${fill(form.lead, { application: shownName(client) })}</p>
${problem(form.errorText)}
${form.notice === undefined ? html`` : html`<p class="notice" role="status" id="notice">${form.notice}</p>`}
<form method="post" id="credentials">
<input type="hidden" name="token" value="${formToken}">
${name}
${password}
${form.terms}
${form.captcha}
${form.button === undefined ? html`` : html`<button type="submit" id="submit">${form.button}</button>`}
${form.otherButton ?? html``}
</form>
${form.aside}
${form.password === undefined ? html`` : pageScript('SHOW_PASSWORD')}`
}
