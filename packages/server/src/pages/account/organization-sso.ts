/**
 * `/account/single-sign-on`: the email domains and identity providers of an organization, for its members who look after them (DECISIONS
 * P22); and how the pages below it are addressed.
 */
import { html } from '@remix-run/html-template'
import { isEditable } from '../../domain/account/field-policy.ts'
import { connectorsManaged, domainsManaged } from '../../domain/account/organization-sso.ts'
import { ownOrganizations } from '../../domain/account/own-organizations.ts'
import type { SsoConnector } from '../../domain/federation/enterprise/connectors.ts'
import type { OrganizationDomainRow } from '../../domain/organizations/domains.ts'
import type { Answer } from '../../http/exchange.ts'
import { ApiError, notFound } from '../../kernel/api-error.ts'
import { fill } from '../../presentation/language.ts'
import { type AccountContext, accountFrame, type PathOfOne, savedNotice, toAccount, work } from './account-page.ts'
import { idOf } from './change-page.ts'
import { rowList } from './rows.ts'

/** What an address names: an organization, and what is behind a dot, of which ids have none. */
export const partsOf = (context: AccountContext): readonly [organizationId: string, rest: string] => {
  const [organizationId = '', ...rest] = idOf(context).split('.')
  return [organizationId, rest.join('.')]
}

/** The value of `id` in an address. */
export const addressed = (...parts: readonly string[]): string => encodeURIComponent(parts.join('.'))

/** The page of the organization that the address names. */
export const ssoHome = (context: AccountContext): PathOfOne => `single-sign-on?id=${addressed(partsOf(context)[0])}`

export const canManage = ({ rules: { center } }: AccountContext): boolean => isEditable(center, 'organizationSso')

/** Leads to the organizations if the user has lost the permission, or the settings do not show this. */
export const managing =
  (render: (context: AccountContext) => Promise<Answer>) =>
  async (context: AccountContext): Promise<Answer> => {
    try {
      return await render(context)
    } catch (error) {
      const isClosed = error instanceof ApiError && /^(auth\.forbidden$|account_center\.)/.test(error.code)
      if (isClosed) return toAccount(context, '/organizations')
      throw error
    }
  }

/** The name of the organization. Throws 404 if the user is not in it. */
export const organizationName = async (
  { store, exchange, user }: AccountContext,
  organizationId: string,
): Promise<string> => {
  const own = await ownOrganizations(store, exchange.tenant, user.id)
  const found = own.find(({ id }) => id === organizationId)
  if (!found) throw notFound('organization', organizationId)
  return found.name
}

const domainRow = (context: AccountContext, { organization_id, domain, verified_at }: OrganizationDomainRow) => {
  const { singleSignOn, account } = context.language.phrases
  const id = addressed(organization_id, domain)
  const verify = { id: `verify-${domain}`, href: `/account/organization-domain?id=${id}`, text: singleSignOn.verify }
  const remove = { id: `remove-${domain}`, href: `/account/change/remove-domain?id=${id}`, text: account.remove }
  const links = [...(verified_at === null ? [verify] : []), remove]
  return {
    name: domain,
    details: [verified_at === null ? singleSignOn.notVerified : singleSignOn.verified],
    links: canManage(context) ? links.map((link) => ({ ...link, about: domain })) : [],
  }
}

const connectorRow = (
  { language: { phrases } }: AccountContext,
  organizationId: string,
  { id, name, preset, domains, isComplete }: SsoConnector,
) => {
  const { singleSignOn } = phrases
  const href = `/account/identity-provider?id=${addressed(organizationId, id)}`
  return {
    name,
    details: [preset.name, isComplete ? domains.join(', ') || singleSignOn.ready : singleSignOn.incomplete],
    links: [{ id: `open-${id}`, href, text: singleSignOn.open, about: name }],
  }
}

export const showSingleSignOn = managing(async (context) => {
  const { holder, rules, language } = context
  const { singleSignOn } = language.phrases
  const [organizationId] = partsOf(context)
  const doing = work(context, 'SingleSignOn')
  const domains = await domainsManaged(doing, holder, rules, organizationId)
  const connectors = await connectorsManaged(doing, holder, rules, organizationId)
  const name = await organizationName(context, organizationId)
  const add = (change: string, text: string) =>
    canManage(context)
      ? html`<p><a class="button quiet" id="${change}" href="/account/change/${change}?id=${addressed(organizationId)}">${text}</a></p>`
      : ''
  const domainList =
    domains.length > 0
      ? rowList(domains.map((row) => domainRow(context, row)))
      : html`<p class="hint">${singleSignOn.noDomains}</p>`
  const connectorList =
    connectors.length > 0
      ? rowList(connectors.map((each) => connectorRow(context, organizationId, each)))
      : html`<p class="hint">${singleSignOn.noProviders}</p>`
  return accountFrame(context, {
    section: 'organizations',
    title: singleSignOn.title,
    body: html`<p class="lead">${fill(singleSignOn.lead, { name })}</p>
${savedNotice(context)}
<section class="part"><h2>${singleSignOn.domains}</h2>
${domainList}
${add('add-domain', singleSignOn.addDomain)}</section>
<section class="part"><h2>${singleSignOn.providers}</h2>
${connectorList}
${add('add-identity-provider', singleSignOn.addProvider)}</section>
<p class="aside"><a id="to-list" href="/account/organizations">${language.phrases.accountSection.organizations}</a></p>`,
  })
})
