/** `/account/organizations` and `/account/invitation`: the organizations that the user is in, and invitations to accept or decline. */
import { html } from '@remix-run/html-template'
import { isShown } from '../../domain/account/field-policy.ts'
import { organizationsManaged } from '../../domain/account/organization-sso.ts'
import { answerOwnInvitation, ownInvitations, ownOrganizations } from '../../domain/account/own-organizations.ts'
import type { Answer } from '../../http/exchange.ts'
import { notFound } from '../../kernel/api-error.ts'
import { fill } from '../../presentation/language.ts'
import { perform } from '../../storage/unit-of-work.ts'
import { problem } from '../interaction-page.ts'
import {
  type AccountContext,
  accountFields,
  accountFrame,
  entered,
  saved,
  savedNotice,
  toAccount,
  tokenField,
  work,
} from './account-page.ts'
import { addressed } from './organization-sso.ts'
import { rowList } from './rows.ts'

interface Role {
  readonly name: string
}

const roleNames = (roles: readonly Role[]): string[] =>
  roles.length === 0 ? [] : [roles.map(({ name }) => fill('{name}', { name })).join(', ')]

const canAnswer = ({ rules: { center } }: AccountContext): boolean => center.fields.organization === 'Edit'

export const showOrganizations = async (context: AccountContext): Promise<Answer> => {
  const { store, exchange, user, rules, language } = context
  const { account, accountSection } = language.phrases
  const { tenant } = exchange
  const isVisible = isShown(rules.center, 'organization')
  const managed = await organizationsManaged({ store, tenant }, user.id, rules)
  const all = isVisible || managed.size > 0 ? await ownOrganizations(store, tenant, user.id) : []
  const organizations = isVisible ? all : all.filter(({ id }) => managed.has(id))
  const invitations = isVisible ? await ownInvitations(store, tenant, user.id) : []
  const invited = invitations.map(({ id, organizationName: name, roles, expiresAt }) => {
    const link = { id: `answer-${id}`, href: `/account/invitation?id=${id}`, text: account.answer, about: name }
    const until = fill(account.validUntil, { date: language.day(expiresAt) })
    return { name, details: [...roleNames(roles), until], links: canAnswer(context) ? [link] : [] }
  })
  const joined = organizations.map(({ id, name, roles, joinedAt }) => {
    const href = `/account/single-sign-on?id=${addressed(id)}`
    const link = { id: `sso-${id}`, href, text: language.phrases.singleSignOn.title, about: name }
    return {
      name,
      details: [...roleNames(roles), fill(account.since, { date: language.day(joinedAt) })],
      links: managed.has(id) ? [link] : [],
    }
  })
  return accountFrame(context, {
    section: 'organizations',
    title: accountSection.organizations,
    body: html`${savedNotice(context)}
${joined.length > 0 ? rowList(joined) : html`<p class="lead">${account.noOrganizations}</p>`}
${invited.length > 0 ? html`<h2>${account.invitations}</h2>${rowList(invited)}` : ''}`,
  })
}

const invitationPage = async (context: AccountContext, status = 200, errorText?: string): Promise<Answer> => {
  const { store, exchange, user, language, query } = context
  const { account, cancel } = language.phrases
  const id = entered(query, 'id')
  const invitations = await ownInvitations(store, exchange.tenant, user.id)
  const found = invitations.find((invitation) => invitation.id === id)
  if (!found) throw notFound('invitation', id)
  const title = fill(account.invitationTitle, { name: found.organizationName })
  return accountFrame(context, {
    section: 'organizations',
    status,
    title,
    body: html`<p class="lead">${fill(account.validUntil, { date: language.day(found.expiresAt) })}</p>
${problem(errorText)}
<form method="post" id="invitation">
${tokenField(context)}
<button type="submit" id="accept" name="answer" value="accept">${account.accept}</button>
<button type="submit" id="decline" class="quiet" name="answer" value="decline">${account.decline}</button>
</form>
<p class="aside"><a id="cancel" href="/account/organizations">${cancel}</a></p>`,
  })
}

export const showInvitation = async (context: AccountContext): Promise<Answer> =>
  canAnswer(context) ? invitationPage(context) : toAccount(context, '/organizations')

export const submitInvitation = async (context: AccountContext): Promise<Answer> => {
  if (!canAnswer(context)) return toAccount(context, '/organizations')
  const { holder, rules, query, language } = context
  const fields = accountFields(context)
  if (!fields) return invitationPage(context, 400, language.phrases.expiredForm)
  const answer = entered(fields, 'answer')
  if (answer !== 'accept' && answer !== 'decline') return invitationPage(context)
  const id = entered(query, 'id')
  await perform(work(context, 'AnswerInvitation'), answerOwnInvitation, holder, rules, id, answer === 'accept')
  return saved(context, 'organizations')
}
