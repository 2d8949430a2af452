/**
 * The page that asks a user who registers for the fields of the profile, after name and password. Its answers complete the account. A
 * picture is asked for as a file, where files can be stored: the form is then one of `multipart/form-data`.
 */
import { LARGEST_UPLOAD } from '@countersign/contract/user-assets.ts'
import { html, type SafeHtml } from '@remix-run/html-template'
import { shownName } from '../domain/applications/look.ts'
import { uploadAvatar } from '../domain/sign-in/avatar.ts'
import type { Draft } from '../domain/sign-in/draft.ts'
import { signInExperience } from '../domain/sign-in/experience.ts'
import { enterExtraProfile, issuesAtSignUp } from '../domain/sign-in/extra-profile.ts'
import { findInteraction } from '../domain/sign-in/interactions.ts'
import { uploadService } from '../domain/uploads/images.ts'
import type { FieldIssue } from '../domain/users/profile-field-values.ts'
import type { ProfileField } from '../domain/users/profile-fields.ts'
import { readCookie } from '../http/cookies.ts'
import type { Answer, Exchange } from '../http/exchange.ts'
import { isUploadType, parseUploadForm } from '../http/multipart.ts'
import type { Parameters } from '../http/parameters.ts'
import { fill } from '../presentation/language.ts'
import type { Store } from '../storage/store.ts'
import { finish } from './finish.ts'
import { formErrorOf, hasEnded } from './form-error.ts'
import {
  formFields,
  framed,
  isFormToken,
  type PageContext,
  problem,
  resume,
  stepOf,
  toPage,
} from './interaction-page.ts'
import { draftHere } from './message-code.ts'
import { pictureError, pictureInput, pictureTooLarge } from './picture-input.ts'
import { answersOf, fieldInputs, issueText, labelOf } from './profile-field-inputs.ts'

interface Shown {
  readonly fields?: Parameters | undefined
  readonly issues?: readonly FieldIssue[]
  readonly errorText?: string
}

/** Whether the page asks for a file, and not for the address of one. */
const isUploaded = (store: Store, { name }: Pick<ProfileField, 'name'>): boolean =>
  name === 'avatar' && uploadService(store).status === 'ready'

/** The fields as the page calls them: what is uploaded is no address. */
const shownFields = ({ store, experience, language }: PageContext): readonly ProfileField[] =>
  experience.signUpFields.map((field) =>
    isUploaded(store, field) ? { ...field, label: field.label || language.phrases.account.picture } : field,
  )

/** @param hasPicture whether one was given already, so that none is required */
const inputs = (context: PageContext, hasPicture: boolean, { fields, issues = [] }: Shown): SafeHtml[] => {
  const { phrases } = context.language
  return shownFields(context).map((field) => {
    if (!isUploaded(context.store, field)) return fieldInputs(field, { phrases, fields, issues })
    const label = labelOf(phrases, field)
    const isRequired = field.required && !hasPicture
    const isInvalid = issues.some((issue) => issue.field === field.name)
    return pictureInput(phrases, {
      label: field.required ? label : fill(phrases.optionalField, { label }),
      ...{ isRequired, isInvalid, description: field.description },
    })
  })
}

/** The page. @param draft what was entered so far */
export const extraProfileForm = (context: PageContext, draft: Draft, status: number, shown: Shown = {}): Answer => {
  const { store, client, experience, formToken } = context
  const { phrases } = context.language
  const { issues: [first] = [], errorText } = shown
  const text = errorText ?? (first && issueText(phrases, shownFields(context), first))
  const hasFile = experience.signUpFields.some((field) => isUploaded(store, field))
  const body = html`<h1 id="title">${phrases.extraProfileTitle}</h1>
<p class="lead">${fill(phrases.createAccountFor, { application: shownName(client) })}</p>
${problem(text)}
<form method="post" id="extra-profile" ${hasFile ? html`enctype="multipart/form-data"` : ''}>
<input type="hidden" name="token" value="${formToken}">
${inputs(context, draft.profile.avatar !== undefined, shown)}
<button type="submit" id="submit">${phrases.continue}</button>
</form>`
  return framed(context, { status, title: phrases.extraProfileTitle, body })
}

const stepHere = (context: PageContext) => stepOf(context, 'Register')

/** What was entered so far, if a user who registers has come as far as this page. */
const draftOfPage = async (context: PageContext): Promise<Draft | undefined> => {
  const draft = await draftHere(stepHere(context).work, context.interaction.id)
  return draft?.isReady === true && context.experience.signUpFields.length > 0 ? draft : undefined
}

export const showExtraProfile = async (context: PageContext): Promise<Answer> => {
  const draft = await draftOfPage(context)
  return draft ? extraProfileForm(context, draft, 200) : toPage(context, 'register')
}

interface Brought {
  readonly fields: Parameters
  readonly file: Buffer | undefined
}

/** What the form brings back; undefined if it lacks the token. Throws as parseUploadForm. */
const broughtBy = async (context: PageContext): Promise<Brought | undefined> => {
  const { exchange, formToken } = context
  const type = exchange.headers['content-type']
  if (isUploadType(type)) {
    const brought = await parseUploadForm(exchange.body, type, LARGEST_UPLOAD)
    return isFormToken(formToken, brought.fields.get('token')?.[0]) ? brought : undefined
  }
  const fields = formFields(context)
  return fields && { fields, file: undefined }
}

/** Stores the picture, if there is one, enters the answers, and ends the registration. */
const submit = async (context: PageContext, draft: Draft, { fields, file }: Brought): Promise<Answer> => {
  const { store, experience } = context
  const { signUpFields } = experience
  const picture = signUpFields.find((field) => isUploaded(store, field))
  const typed = signUpFields.filter((field) => field !== picture)
  const answers = answersOf(typed, fields)
  const hasPicture = file !== undefined || draft.profile.avatar !== undefined
  const issues: FieldIssue[] = [
    ...issuesAtSignUp({ signUpFields: typed }, answers),
    ...(picture?.required && !hasPicture ? [{ field: picture.name, code: 'missing' } as const] : []),
  ]
  if (issues.length > 0) return extraProfileForm(context, draft, 422, { fields, issues })
  if (picture && file) await uploadAvatar(stepHere(context), file)
  await enterExtraProfile(stepHere(context), answers)
  return finish(context, 'Register')
}

export const submitExtraProfile = async (context: PageContext): Promise<Answer> => {
  const { phrases } = context.language
  const draft = await draftOfPage(context)
  if (!draft) return toPage(context, 'register')
  let brought: Brought | undefined
  try {
    brought = await broughtBy(context)
    if (!brought) return extraProfileForm(context, draft, 400, { errorText: phrases.expiredForm })
    return await submit(context, draft, brought)
  } catch (error) {
    if (hasEnded(error)) return resume(context)
    const { status, text } = pictureError(error, phrases) ?? formErrorOf(error, phrases)
    return extraProfileForm(context, draft, status, { fields: brought?.fields, errorText: text })
  }
}

/** Whether a browser may send a picture: before its body is read. */
export const admitsExtraProfile = async (store: Store, exchange: Exchange): Promise<boolean> => {
  const { tenant, params } = exchange
  const interaction = await findInteraction(store, tenant, params.id ?? '', readCookie(exchange, 'browser'))
  if (interaction?.state.draft?.isReady !== true) return false
  const { signUpFields } = await signInExperience(store, tenant)
  return signUpFields.some((field) => isUploaded(store, field))
}

/** What the page says of a file that was too large to be read. */
export const refuseExtraProfile = async (context: PageContext): Promise<Answer> => {
  const draft = await draftOfPage(context)
  const { status, text } = pictureTooLarge(context.language.phrases)
  return draft ? extraProfileForm(context, draft, status, { errorText: text }) : toPage(context, 'register')
}
