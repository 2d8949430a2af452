/** The input for a picture, in a form of `multipart/form-data` that needs no JavaScript, and what pages say of one that is refused. */
import { LARGEST_UPLOAD, UPLOAD_MEDIA_TYPES } from '@countersign/contract/user-assets.ts'
import { html, type SafeHtml } from '@remix-run/html-template'
import { ApiError } from '../kernel/api-error.ts'
import type { Phrases } from '../languages/en.ts'
import { fill } from '../presentation/language.ts'
import type { FormError } from './form-error.ts'

const LIMIT = `${LARGEST_UPLOAD / 1024 ** 2} MB`

interface Asked {
  readonly label: string
  readonly isRequired: boolean
  readonly isInvalid: boolean
  /** What the operator says of it. */
  readonly description?: string | null
}

/** The input `file`. */
export const pictureInput = ({ account }: Phrases, { label, isRequired, isInvalid, description }: Asked): SafeHtml =>
  html`<div class="field">
<label for="file">${label}</label>
<input id="file" name="file" type="file" accept="${UPLOAD_MEDIA_TYPES.join(',')}" ${isRequired ? html`required` : ''} aria-describedby="file-hint${isInvalid ? ' problem' : ''}" ${isInvalid ? html`aria-invalid="true"` : ''}>
<p class="hint" id="file-hint">${description ? `${description} ` : ''}${fill(account.pictureHint, { limit: LIMIT })}</p>
</div>`

/** What a page says of a file that was too large to be read. */
export const pictureTooLarge = ({ account }: Phrases): FormError => ({
  status: 413,
  text: fill(account.pictureTooLarge, { limit: LIMIT }),
})

/** What a page says of a file that is refused; undefined for any other error. */
export const pictureError = (error: unknown, phrases: Phrases): FormError | undefined => {
  if (!(error instanceof ApiError && error.code.startsWith('guard.'))) return undefined
  return error.code === 'guard.file_size_exceeded'
    ? pictureTooLarge(phrases)
    : { status: 422, text: phrases.account.pictureUnreadable }
}
