/** `/account/security`: how the user signs in, and what protects that; each part is changed on a page of its own. */
import { html } from '@remix-run/html-template'
import { isEditable, isShown, partOf } from '../../domain/account/field-policy.ts'
import { listFactors } from '../../domain/factors/administration.ts'
import type { Factor } from '../../domain/factors/factors.ts'
import { shownSsoConnector, ssoConnectorOfSignIn } from '../../domain/federation/enterprise/connectors.ts'
import { identitiesOf } from '../../domain/users/identities.ts'
import { ssoIdentitiesOf } from '../../domain/users/sso-identities.ts'
import type { Answer } from '../../http/exchange.ts'
import { fill } from '../../presentation/language.ts'
import { problem } from '../interaction-page.ts'
import { nameIn } from '../social-buttons.ts'
import { type AccountContext, accountFrame, savedNotice } from './account-page.ts'
import { linkable, problemElsewhere, shownTarget } from './elsewhere.ts'
import { rowList } from './rows.ts'

const passwordRow = ({ language: { phrases }, user, rules: { center } }: AccountContext) => {
  const { account } = phrases
  const isSet = user.password_hash !== null
  const link = { id: 'change-password', href: '/account/change/password', about: phrases.password }
  return {
    name: phrases.password,
    details: [isSet ? account.isSet : account.notSet],
    links: center.fields.password === 'Edit' ? [{ ...link, text: isSet ? account.change : account.add }] : [],
  }
}

/** A factor that a user has. */
const factorRow = ({ language: { phrases, day }, rules }: AccountContext, factor: Factor) => {
  const { account, factorName } = phrases
  const { id, type, name, created_at, remaining } = factor
  const kind = factorName[type]
  const about = name ?? kind
  const left = fill(account.codesLeft, { count: String(remaining) })
  const link = (change: string, text: string) => ({
    id: `${change}-${id}`,
    href: `/account/change/${change}?id=${id}`,
    text,
    about,
  })
  const links = [
    ...(type === 'WebAuthn' ? [link('rename-passkey', account.rename)] : []),
    ...(type === 'Totp' ? [link('replace-totp', account.renew)] : []),
    ...(type === 'BackupCode' ? [link('backup-codes', account.renew)] : []),
    link(type === 'WebAuthn' ? 'remove-passkey' : 'remove-factor', account.remove),
  ]
  return {
    name: about,
    details: [
      ...(about === kind ? [] : [kind]),
      type === 'BackupCode' ? left : fill(account.since, { date: day(created_at) }),
    ],
    links: isEditable(rules.center, partOf(type)) ? links : [],
  }
}

/** A factor that the tenant offers and the user may add. */
const newFactorRows = (
  { language: { phrases }, rules: { center, experience } }: AccountContext,
  own: readonly Factor[],
) => {
  const { factors } = experience.mfa
  const has = (type: string) => own.some((factor) => factor.type === type)
  const isOffered = {
    WebAuthn: factors.includes('WebAuthn') || experience.passkeySignIn.enabled,
    Totp: factors.includes('Totp') && !has('Totp'),
    BackupCode: factors.includes('BackupCode') && !has('BackupCode') && own.length > 0,
  }
  const target = { WebAuthn: 'passkey', Totp: 'totp', BackupCode: 'backup-codes' } as const
  return (['WebAuthn', 'Totp', 'BackupCode'] as const)
    .filter((type) => isOffered[type] && isEditable(center, partOf(type)))
    .map((type) => {
      const name = phrases.factorName[type]
      const hint = type === 'BackupCode' ? [] : [phrases.factorHint[type]]
      const link = {
        id: `add-${type}`,
        href: `/account/change/${target[type]}`,
        text: phrases.account.add,
        about: name,
      }
      return { name, details: hint, links: [link] }
    })
}

const identityRows = async (context: AccountContext) => {
  const { language, user, rules } = context
  const { account } = language.phrases
  const own = Object.entries(identitiesOf(user)).map(([target, { userId, details }]) => {
    const known = details?.email ?? details?.name
    const name = shownTarget(context, target)
    const href = `/account/change/remove-identity?id=${encodeURIComponent(target)}`
    const link = { id: `remove-${target}`, href, text: account.remove, about: name }
    return {
      name,
      details: [fill('{name}', { name: typeof known === 'string' ? known : userId })],
      links: isEditable(rules.center, 'social') ? [link] : [],
    }
  })
  const others = linkable(context).map(({ id, name, target }) => {
    const about = nameIn(language, name)
    const link = { id: `link-${target}`, href: `/account/change/link-identity?id=${id}`, text: account.add, about }
    return { name: about, details: [], links: [link] }
  })
  return [...own, ...(await companyRows(context)), ...others]
}

/** Accounts of companies are the companies' to give and to take. */
const companyRows = async ({ store, exchange: { tenant }, user }: AccountContext) => {
  const own = await ssoIdentitiesOf(store.database.kysely, tenant.id, user.id)
  const rows = own.map(async ({ connector_id: id, detail, identity_id: subject }) => {
    const connector = await ssoConnectorOfSignIn(store, tenant, id)
    const { email, name } = detail as Readonly<Record<string, unknown>>
    const known = email ?? name
    return {
      name: connector ? shownSsoConnector(connector).connectorName : id,
      details: [fill('{name}', { name: typeof known === 'string' ? known : subject })],
    }
  })
  return Promise.all(rows)
}

export const showSecurity = async (context: AccountContext): Promise<Answer> => {
  const { store, exchange, user, rules, language } = context
  const { account } = language.phrases
  const own = (await listFactors(store, exchange.tenant, user.id)).filter(({ type }) =>
    isShown(rules.center, partOf(type)),
  )
  const factors = [...own.map((factor) => factorRow(context, factor)), ...newFactorRows(context, own)]
  const identities = isShown(rules.center, 'social') ? await identityRows(context) : []
  return accountFrame(context, {
    section: 'security',
    title: language.phrases.accountSection.security,
    body: html`${savedNotice(context)}${problem(problemElsewhere(context))}
${isShown(rules.center, 'password') ? rowList([passwordRow(context)]) : ''}
${factors.length > 0 ? html`<h2>${account.factors}</h2>${rowList(factors)}` : ''}
${identities.length > 0 ? html`<h2>${account.identities}</h2>${rowList(identities)}` : ''}`,
  })
}
