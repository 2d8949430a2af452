/** Labelled inputs of the forms of the account pages. */
import { html, type SafeHtml } from '@remix-run/html-template'

interface Input {
  readonly name: string
  readonly label: string
  readonly value: string
  readonly type?: 'text' | 'url' | 'password' | 'date'
  readonly hint?: string | undefined
  readonly mostCharacters?: number
  readonly isRequired?: boolean
  readonly isFirst?: boolean
}

const hintOf = (name: string, hint: string | undefined): SafeHtml =>
  hint === undefined ? html`` : html`<p class="hint" id="${name}-hint">${hint}</p>`

const describedBy = (name: string, hint: string | undefined): SafeHtml =>
  hint === undefined ? html`` : html`aria-describedby="${name}-hint"`

/** A line of text. */
export const inputField = ({ name, label, value, type = 'text', hint, ...more }: Input): SafeHtml => {
  const { mostCharacters = 2048, isRequired = false, isFirst = false } = more
  return html`<div class="field">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" value="${value}" maxlength="${String(mostCharacters)}" autocomplete="off" spellcheck="false" ${describedBy(name, hint)} ${isRequired ? html`required` : ''} ${isFirst ? html`autofocus` : ''}>
${hintOf(name, hint)}</div>`
}

/** Several lines of text. */
export const textArea = ({ name, label, value, hint }: Pick<Input, 'name' | 'label' | 'value' | 'hint'>): SafeHtml =>
  html`<div class="field">
<label for="${name}">${label}</label>
<textarea id="${name}" name="${name}" rows="6" autocomplete="off" spellcheck="false" ${describedBy(name, hint)}>
${value}</textarea>
${hintOf(name, hint)}</div>`

/** A file of the user's. @param accept the types of it */
export const fileField = ({ name, label, hint, accept }: Pick<Input, 'name' | 'label' | 'hint'> & { accept: string }) =>
  html`<div class="field">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="file" accept="${accept}" ${describedBy(name, hint)}>
${hintOf(name, hint)}</div>`

/** Values that are shown to be copied, each with a button where the browser can do it and the value is worth it. */
export const copyList = (
  rows: readonly { readonly id: string; readonly name: string; readonly value: string; readonly isShort?: true }[],
  { copy, copied }: { readonly copy: string; readonly copied: string },
): SafeHtml => html`<dl class="details">
${rows.map(({ id, name, value, isShort }) => {
  const button = html`data-copy="${copy}" data-copied="${copied}" data-about="${name}"`
  return html`<dt>${name}</dt><dd><code class="key" id="${id}" ${isShort ? '' : button}>${value}</code></dd>
`
})}</dl>`
