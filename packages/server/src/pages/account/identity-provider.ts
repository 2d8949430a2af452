/**
 * `/account/identity-provider`: an SSO connector of an organization, for its members who look after it: what the identity provider has to
 * know, what it does to sign-in, whether it works, and the certificates of both sides.
 */
import { html, type SafeHtml } from '@remix-run/html-template'
import {
  checkManagedConnector,
  connectorManaged,
  type ManagedConnector,
} from '../../domain/account/organization-sso.ts'
import { keysManaged } from '../../domain/account/organization-sso-keys.ts'
import { knownCertificates } from '../../domain/federation/enterprise/check.ts'
import type { SsoConnector } from '../../domain/federation/enterprise/connectors.ts'
import type { ProviderCheck } from '../../domain/federation/provider-findings.ts'
import { serviceProvider } from '../../domain/federation/saml/provider.ts'
import type { SigningKey } from '../../domain/federation/saml/signing-keys.ts'
import type { Answer } from '../../http/exchange.ts'
import { pageScript } from '../../http/page-script.ts'
import { ApiError } from '../../kernel/api-error.ts'
import { type CertificateFacts, certificateFacts } from '../../kernel/certificates.ts'
import { fill } from '../../presentation/language.ts'
import type { FormError } from '../form-error.ts'
import { problem } from '../interaction-page.ts'
import {
  type AccountContext,
  accountFields,
  accountFrame,
  type PathOfOne,
  savedNotice,
  tokenField,
  work,
} from './account-page.ts'
import { changeErrorOf } from './change-page.ts'
import { copyList } from './inputs.ts'
import { addressed, canManage, managing, organizationName, partsOf, ssoHome } from './organization-sso.ts'
import { rowList } from './rows.ts'

/** What an address names: a connector, and one of its keys on the pages of keys. */
export const connectorNamed = (context: AccountContext): ManagedConnector & { readonly keyId: string } => {
  const [organizationId, rest] = partsOf(context)
  const [connectorId = '', keyId = ''] = rest.split('.')
  return { organizationId, connectorId, keyId }
}

/** The page of the connector that the address names. */
export const connectorHome = (context: AccountContext): PathOfOne => {
  const { organizationId, connectorId } = connectorNamed(context)
  return `identity-provider?id=${addressed(organizationId, connectorId)}`
}

/** The connector that the address names. Throws 404. */
export const connectorHere = (context: AccountContext): Promise<SsoConnector> => {
  const { holder, rules } = context
  return connectorManaged(work(context, 'SingleSignOn'), holder, rules, connectorNamed(context))
}

/** A certificate in a title: the beginning of its fingerprint is enough to tell two apart. */
export const certificateName = (certificate: string): string =>
  (certificateFacts(certificate)?.fingerprint ?? '').slice(0, 23)

const addresses = (
  { exchange: { tenant }, language }: AccountContext,
  { id, preset }: SsoConnector,
  keys: readonly SigningKey[],
) => {
  const { singleSignOn } = language.phrases
  const { baseUrl } = tenant
  if (preset.providerType === 'oidc')
    return [
      { id: 'redirect-uri', name: singleSignOn.redirectUri, value: `${baseUrl}/callback/${id}` },
      { id: 'logout', name: singleSignOn.backChannelUrl, value: `${baseUrl}/sso/${id}/backchannel-logout` },
    ]
  const { entityId, acs, logout } = serviceProvider(tenant, id, { active: undefined, all: [] })
  return [
    { id: 'entity-id', name: singleSignOn.entityId, value: entityId },
    { id: 'acs', name: singleSignOn.replyUrl, value: acs },
    // its messages have to be signed
    ...(keys.some(({ isActive }) => isActive) ? [{ id: 'logout', name: singleSignOn.logoutUrl, value: logout }] : []),
  ]
}

const effect = (
  { language: { phrases }, rules }: AccountContext,
  { isComplete, domains }: SsoConnector,
  organization: string,
): SafeHtml => {
  const { singleSignOn } = phrases
  if (!rules.experience.singleSignOnEnabled) return html`<p>${singleSignOn.effectOff}</p>`
  if (!isComplete) return html`<p>${singleSignOn.effectIncomplete}</p>`
  if (domains.length === 0) return html`<p>${singleSignOn.effectNone}</p>`
  return html`<p>${fill(singleSignOn.effectDomains, { domains: domains.join(', ') })}</p>
<p>${fill(singleSignOn.effectNew, { name: organization })}</p>`
}

const settings = (context: AccountContext, { name, preset, isComplete, domains }: SsoConnector): SafeHtml => {
  const { singleSignOn, account } = context.language.phrases
  const { organizationId, connectorId } = connectorNamed(context)
  const id = addressed(organizationId, connectorId)
  const link = (change: string, text: string) => ({
    id: change,
    href: `/account/change/${change}?id=${id}`,
    text,
    about: name,
  })
  const links = [link('identity-provider', account.change), link('remove-identity-provider', account.remove)]
  const details = [
    isComplete ? singleSignOn.ready : singleSignOn.incomplete,
    ...(domains.length > 0 ? [domains.join(', ')] : []),
  ]
  return rowList([{ name: preset.name, details, links: canManage(context) ? links : [] }])
}

const checkForm = (context: AccountContext, checked: ProviderCheck | undefined): SafeHtml => {
  const { singleSignOn } = context.language.phrases
  const said =
    checked &&
    {
      ok: singleSignOn.checkOk,
      warning: singleSignOn.checkWarning,
      problem: singleSignOn.checkProblem,
    }[checked.verdict]
  const isBad = checked !== undefined && checked.verdict !== 'ok'
  // what was found is told as it is: it names what identity providers have in English alone
  const result = checked
    ? html`${isBad ? problem(said) : html`<p class="notice" role="status" id="notice">${said}</p>`}
<p class="hint" id="finding" lang="en" dir="ltr">${checked.text}</p>`
    : ''
  return html`${result}<form method="post" id="check">
${tokenField(context)}
<button type="submit" class="quiet" id="submit">${singleSignOn.check}</button>
</form>`
}

const certificates = ({ store, language }: AccountContext, all: readonly CertificateFacts[]): SafeHtml => {
  const { singleSignOn, account } = language.phrases
  const now = store.clock.now()
  const rows = all.map(({ certificate, validUntil }) => ({
    name: certificateName(certificate),
    details: [fill(validUntil > now ? account.validUntil : singleSignOn.expired, { date: language.day(validUntil) })],
  }))
  return rows.length === 0
    ? html``
    : html`<section class="part"><h2>${singleSignOn.certificates}</h2>${rowList(rows)}</section>`
}

const keyList = (context: AccountContext, keys: readonly SigningKey[]): SafeHtml => {
  const { language } = context
  const { singleSignOn, account } = language.phrases
  const { organizationId, connectorId } = connectorNamed(context)
  const rows = keys.map(({ id, certificate, isActive, expiresAt }) => {
    const about = certificateName(certificate)
    const link = (change: string, text: string) => ({
      id: `${change}-${id}`,
      href: `/account/change/${change}?id=${addressed(organizationId, connectorId, id)}`,
      ...{ text, about },
    })
    const links = isActive
      ? [link('deactivate-certificate', singleSignOn.deactivate)]
      : [link('activate-certificate', singleSignOn.activate), link('remove-certificate', account.remove)]
    return {
      name: about,
      details: [
        isActive ? singleSignOn.active : singleSignOn.inactive,
        fill(account.validUntil, { date: language.day(expiresAt) }),
      ],
      links: canManage(context) ? links : [],
    }
  })
  const add = `/account/change/new-certificate?id=${addressed(organizationId, connectorId)}`
  return html`<section class="part"><h2>${singleSignOn.ourCertificates}</h2>
<p class="hint">${singleSignOn.ourCertificatesLead}</p>
${rows.length > 0 ? rowList(rows) : ''}
${canManage(context) ? html`<p><a class="button quiet" id="new-certificate" href="${add}">${singleSignOn.newCertificate}</a></p>` : ''}</section>`
}

const page = async (context: AccountContext, checked?: ProviderCheck, error?: FormError): Promise<Answer> => {
  const { store, exchange, holder, rules, language } = context
  const { singleSignOn } = language.phrases
  const connector = await connectorHere(context)
  const organization = await organizationName(context, connector.organizationId ?? '')
  const isSaml = connector.preset.providerType === 'saml'
  const keys = isSaml ? await keysManaged(work(context, 'SingleSignOn'), holder, rules, connectorNamed(context)) : []
  const isReached = checked !== undefined && checked.verdict !== 'problem'
  const known = await knownCertificates({ store, tenant: exchange.tenant }, connector, isReached)
  return accountFrame(context, {
    section: 'organizations',
    title: fill('{name}', { name: connector.name }),
    ...(error ? { status: error.status } : {}),
    body: html`${checked ? '' : savedNotice(context)}${problem(error?.text)}
${settings(context, connector)}
<section class="part"><h2>${singleSignOn.addresses}</h2>
${copyList(addresses(context, connector, keys), singleSignOn)}</section>
<section class="part"><h2>${singleSignOn.effect}</h2>
${effect(context, connector, organization)}</section>
${certificates(context, known)}
${isSaml ? keyList(context, keys) : ''}
${canManage(context) ? checkForm(context, checked) : ''}
<p class="aside"><a id="to-list" href="/account/${ssoHome(context)}">${singleSignOn.title}</a></p>${pageScript('COPY')}`,
  })
}

export const showIdentityProvider = managing((context) => page(context))

/** Asks the identity provider whether users could be sent there. */
export const submitIdentityProvider = managing(async (context) => {
  const { holder, rules, language } = context
  const { phrases } = language
  if (!accountFields(context)) return page(context, undefined, { status: 400, text: phrases.expiredForm })
  const doing = work(context, 'CheckIdentityProvider')
  let checked: ProviderCheck
  try {
    checked = await checkManagedConnector(doing, holder, rules, connectorNamed(context))
  } catch (error) {
    // whoever may no longer ask is led away, as by every other refusal
    if (!(error instanceof ApiError) || error.status !== 429) throw error
    return page(context, undefined, changeErrorOf(error, phrases))
  }
  return page(context, checked)
})
