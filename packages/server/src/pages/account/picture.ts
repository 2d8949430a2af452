/** `/account/picture`: the picture of the user, uploaded in a form that needs no JavaScript, or taken away. */
import { LARGEST_UPLOAD } from '@countersign/contract/user-assets.ts'
import { html, type SafeHtml } from '@remix-run/html-template'
import { isEditable, isShown } from '../../domain/account/field-policy.ts'
import { uploadOwnAvatar } from '../../domain/account/own-avatar.ts'
import { changeOwnFields } from '../../domain/account/own-fields.ts'
import { uploadService } from '../../domain/uploads/images.ts'
import type { Answer } from '../../http/exchange.ts'
import { isUploadType, parseUpload } from '../../http/multipart.ts'
import type { FormError } from '../form-error.ts'
import { isFormToken, problem } from '../interaction-page.ts'
import { pictureError, pictureInput, pictureTooLarge } from '../picture-input.ts'
import { type AccountContext, accountFields, accountFrame, saved, toAccount, tokenField, work } from './account-page.ts'
import { changeErrorOf } from './change-page.ts'

const SIDE = '64'

/** Only one that is kept here: pages load nothing from elsewhere (SECURITY R-30). */
const ownAddress = ({ exchange: { tenant }, user }: AccountContext): string | undefined =>
  user.avatar?.startsWith(`${tenant.baseUrl}/assets/${tenant.id}/`) ? user.avatar : undefined

const shown = (context: AccountContext): SafeHtml => {
  const { user } = context
  const address = ownAddress(context)
  if (address !== undefined) return html`<img id="picture" src="${address}" alt="" width="${SIDE}" height="${SIDE}">`
  const [initial = '·'] = user.name ?? user.username ?? user.primary_email ?? ''
  return html`<b aria-hidden="true">${initial.toUpperCase()}</b>`
}

const canUpload = ({ store, rules: { center } }: AccountContext): boolean =>
  isEditable(center, 'avatar') && uploadService(store).status === 'ready'

/** Of the page of the profile: the picture, and the link that changes it. */
export const picture = (context: AccountContext): SafeHtml => {
  const { rules, user, language } = context
  const { account } = language.phrases
  if (!isShown(rules.center, 'avatar')) return html``
  const canRemove = isEditable(rules.center, 'avatar') && user.avatar !== null
  if (!canUpload(context) && !canRemove) return html`<div class="portrait">${shown(context)}</div>`
  const text = user.avatar === null ? account.add : account.change
  return html`<div class="portrait">${shown(context)}<a id="change-picture" href="/account/picture" aria-label="${text}: ${account.picture}">${text}</a></div>`
}

const uploadForm = (context: AccountContext, isInvalid: boolean): SafeHtml => {
  const { account } = context.language.phrases
  return html`<form method="post" enctype="multipart/form-data" id="upload">
${tokenField(context)}
${pictureInput(context.language.phrases, { label: account.picture, isRequired: true, isInvalid })}
<button type="submit" id="submit">${account.save}</button>
</form>`
}

const page = (context: AccountContext, error?: FormError): Promise<Answer> => {
  const { user, language } = context
  const { account, cancel } = language.phrases
  const removal =
    user.avatar === null
      ? ''
      : html`<form method="post" id="removal">
${tokenField(context)}
<button type="submit" class="quiet" id="remove" aria-describedby="remove-hint">${account.remove}</button>
<p class="hint" id="remove-hint">${account.removePictureLead}</p>
</form>`
  return accountFrame(context, {
    section: 'profile',
    title: account.picture,
    ...(error ? { status: error.status } : {}),
    body: html`${problem(error?.text)}<div class="portrait">${shown(context)}</div>
${canUpload(context) ? uploadForm(context, error !== undefined) : ''}${removal}
<p class="aside"><a id="cancel" href="/account/profile">${cancel}</a></p>`,
  })
}

export const showPicture = async (context: AccountContext): Promise<Answer> =>
  isEditable(context.rules.center, 'avatar') ? page(context) : toAccount(context, '/profile')

const upload = async (context: AccountContext): Promise<Answer> => {
  const { exchange, holder, rules, language, formToken } = context
  const { phrases } = language
  try {
    const { file, fields } = await parseUpload(exchange.body, exchange.headers['content-type'], LARGEST_UPLOAD, [
      'token',
    ])
    if (!isFormToken(formToken, fields.get('token')))
      return await page(context, { status: 400, text: phrases.expiredForm })
    await uploadOwnAvatar(work(context, 'ChangePicture'), holder, rules, file)
    return saved(context, 'profile')
  } catch (error) {
    return page(context, pictureError(error, phrases) ?? changeErrorOf(error, phrases))
  }
}

export const submitPicture = async (context: AccountContext): Promise<Answer> => {
  const { exchange, holder, rules, language } = context
  if (!isEditable(context.rules.center, 'avatar')) return toAccount(context, '/profile')
  if (isUploadType(exchange.headers['content-type'])) return upload(context)
  if (!accountFields(context)) return page(context, { status: 400, text: language.phrases.expiredForm })
  try {
    await changeOwnFields(work(context, 'RemovePicture'), holder, rules, { avatar: null })
    return saved(context, 'profile')
  } catch (error) {
    return page(context, changeErrorOf(error, language.phrases))
  }
}

/** What the page says of a file that was too large to be read. */
export const refusePicture = (context: AccountContext): Promise<Answer> =>
  page(context, pictureTooLarge(context.language.phrases))
