/** The email domains of an organization on the account pages: one is added, proved by its record, and removed. */
import { html } from '@remix-run/html-template'
import {
  addManagedDomain,
  domainsManaged,
  proveManagedDomain,
  removeManagedDomain,
} from '../../domain/account/organization-sso.ts'
import { type OrganizationDomainRow, shownDomain } from '../../domain/organizations/domains.ts'
import type { Answer } from '../../http/exchange.ts'
import { pageScript } from '../../http/page-script.ts'
import { notFound } from '../../kernel/api-error.ts'
import { fill } from '../../presentation/language.ts'
import { perform } from '../../storage/unit-of-work.ts'
import type { FormError } from '../form-error.ts'
import { problem } from '../interaction-page.ts'
import {
  type AccountContext,
  accountFields,
  accountFrame,
  entered,
  saved,
  toAccount,
  tokenField,
  work,
} from './account-page.ts'
import { type Change, changeErrorOf, simpleForm } from './change-page.ts'
import { copyList, inputField } from './inputs.ts'
import { addressed, canManage, managing, partsOf, ssoHome } from './organization-sso.ts'
import { removal } from './removals.ts'
import { ssoErrorText } from './sso-errors.ts'

/** The domain that the address names. Throws 404. */
const domainHere = async (context: AccountContext): Promise<OrganizationDomainRow> => {
  const { holder, rules } = context
  const [organizationId, domain] = partsOf(context)
  const rows = await domainsManaged(work(context, 'SingleSignOn'), holder, rules, organizationId)
  const row = rows.find((each) => each.domain === domain)
  if (!row) throw notFound('domain', domain)
  return row
}

const page = async (context: AccountContext, error?: FormError): Promise<Answer> => {
  const { singleSignOn, cancel } = context.language.phrases
  const row = await domainHere(context)
  const { record } = shownDomain(row)
  const form = html`<form method="post" id="verification">
${tokenField(context)}
<button type="submit" id="submit">${singleSignOn.verify}</button>
</form>`
  const rows = [
    { id: 'record-type', name: singleSignOn.recordType, value: 'TXT', isShort: true } as const,
    { id: 'record-name', name: singleSignOn.recordName, value: record.name },
    { id: 'record-value', name: singleSignOn.recordValue, value: record.value },
  ]
  return accountFrame(context, {
    section: 'organizations',
    title: fill(singleSignOn.verifyTitle, { name: row.domain }),
    ...(error ? { status: error.status } : {}),
    body: html`<p class="lead">${singleSignOn.verifyLead}</p>
${problem(error?.text)}${copyList(rows, singleSignOn)}
${canManage(context) ? form : ''}
<p class="aside"><a id="cancel" href="/account/${ssoHome(context)}">${cancel}</a></p>${pageScript('COPY')}`,
  })
}

/** `/account/organization-domain`: the record that proves a domain. */
export const showDomain = managing((context) => page(context))

/** Looks for the record. */
export const submitDomain = managing(async (context) => {
  const { holder, rules, language } = context
  const { phrases } = language
  if (!accountFields(context)) return page(context, { status: 400, text: phrases.expiredForm })
  const [organizationId, domain] = partsOf(context)
  try {
    await proveManagedDomain(work(context, 'VerifyOrganizationDomain'), holder, rules, organizationId, domain)
  } catch (error) {
    return page(context, changeErrorOf(error, phrases, ssoErrorText))
  }
  return saved(context, ssoHome(context))
})

const field = 'organizationSso'
const section = 'organizations'

const added: Change = {
  field,
  section,
  home: ssoHome,
  errorText: ssoErrorText,
  async form(context, typed) {
    const { singleSignOn, account } = context.language.phrases
    // whether it may be added at all
    await domainsManaged(work(context, 'SingleSignOn'), context.holder, context.rules, partsOf(context)[0])
    const input = inputField({
      ...{ name: 'domain', label: singleSignOn.domain, hint: singleSignOn.domainHint },
      ...{ value: typed ? entered(typed, 'domain') : '', mostCharacters: 256, isRequired: true, isFirst: true },
    })
    return { title: singleSignOn.addDomain, body: simpleForm(context, input, account.add) }
  },
  async submit(context, fields) {
    const { holder, rules } = context
    const [organizationId] = partsOf(context)
    const doing = work(context, 'AddOrganizationDomain')
    const typed = entered(fields, 'domain').trim().replace(/^@/, '')
    const { domain } = await perform(doing, addManagedDomain, holder, rules, organizationId, typed)
    return { answer: toAccount(context, `/organization-domain?id=${addressed(organizationId, domain)}`) }
  },
}

const removed: Change = {
  ...removal({
    field,
    section,
    async describe(context) {
      const { account, singleSignOn } = context.language.phrases
      const { domain } = await domainHere(context)
      return {
        title: fill(account.removeTitle, { name: domain }),
        lead: singleSignOn.removeDomainLead,
        button: account.remove,
      }
    },
    run: (context) =>
      perform(
        ...([work(context, 'RemoveOrganizationDomain'), removeManagedDomain] as const),
        ...([context.holder, context.rules, ...partsOf(context)] as const),
      ),
  }),
  home: ssoHome,
}

export const domainChanges = { 'add-domain': added, 'remove-domain': removed } as const
