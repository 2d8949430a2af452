/** The page that asks a user who registers for the fields of the profile, after name and password. Its answers complete the account. */
import { html } from '@remix-run/html-template'
import { shownName } from '../domain/applications/look.ts'
import { enterExtraProfile, issuesAtSignUp } from '../domain/sign-in/extra-profile.ts'
import type { FieldIssue } from '../domain/users/profile-field-values.ts'
import type { Answer } from '../http/exchange.ts'
import type { Parameters } from '../http/parameters.ts'
import { fill } from '../presentation/language.ts'
import { finish } from './finish.ts'
import { formErrorOf, hasEnded } from './form-error.ts'
import { formFields, framed, type PageContext, problem, resume, stepOf, toPage } from './interaction-page.ts'
import { draftHere } from './message-code.ts'
import { answersOf, fieldInputs, issueText } from './profile-field-inputs.ts'

interface Shown {
  readonly fields?: Parameters
  readonly issues?: readonly FieldIssue[]
  readonly errorText?: string
}

const form = (context: PageContext, status: number, { fields, issues = [], errorText }: Shown = {}): Answer => {
  const { client, experience, formToken } = context
  const { phrases } = context.language
  const [first] = issues
  const text = errorText ?? (first && issueText(phrases, experience.signUpFields, first))
  const body = html`<h1 id="title">${phrases.extraProfileTitle}</h1>
<p class="lead">${fill(phrases.createAccountFor, { application: shownName(client) })}</p>
${problem(text)}
<form method="post" id="extra-profile">
<input type="hidden" name="token" value="${formToken}">
${experience.signUpFields.map((field) => fieldInputs(field, { phrases, fields, issues }))}
<button type="submit" id="submit">${phrases.continue}</button>
</form>`
  return framed(context, { status, title: phrases.extraProfileTitle, body })
}

const stepHere = (context: PageContext) => stepOf(context, 'Register')

/** Whether a user who registers has come as far as this page. */
const isHere = async (context: PageContext): Promise<boolean> => {
  const draft = await draftHere(stepHere(context).work, context.interaction.id)
  return draft?.isReady === true && context.experience.signUpFields.length > 0
}

export const showExtraProfile = async (context: PageContext): Promise<Answer> =>
  (await isHere(context)) ? form(context, 200) : toPage(context, 'register')

export const submitExtraProfile = async (context: PageContext): Promise<Answer> => {
  const { experience, language } = context
  const { phrases } = language
  if (!(await isHere(context))) return toPage(context, 'register')
  const fields = formFields(context)
  if (!fields) return form(context, 400, { errorText: phrases.expiredForm })
  const answers = answersOf(experience.signUpFields, fields)
  const issues = issuesAtSignUp(experience, answers)
  if (issues.length > 0) return form(context, 422, { fields, issues })
  try {
    await enterExtraProfile(stepHere(context), answers)
    return await finish(context, 'Register')
  } catch (error) {
    if (hasEnded(error)) return resume(context)
    const { status, text } = formErrorOf(error, phrases)
    return form(context, status, { fields, errorText: text })
  }
}
