/** `/account/sessions` and `/account/applications`: where the user is signed in, the devices they trust, and what has access. */
import { html } from '@remix-run/html-template'
import { isShown } from '../../domain/account/field-policy.ts'
import { ownGrants, ownSessions } from '../../domain/account/own-sessions.ts'
import { listTrustedDevices } from '../../domain/factors/trusted-devices.ts'
import { readCookie } from '../../http/cookies.ts'
import type { Answer } from '../../http/exchange.ts'
import { opaqueHash } from '../../kernel/opaque.ts'
import { fill } from '../../presentation/language.ts'
import { type AccountContext, accountFrame, savedNotice } from './account-page.ts'
import { deviceName } from './device-name.ts'
import { rowList } from './rows.ts'

/** "Berlin, DE", as far as it is known. */
const placeName = ({ store }: AccountContext, ip: string | null): string[] => {
  const place = store.places.of(ip ?? undefined)
  return place ? [[place.city, place.country].filter((part) => part !== undefined).join(', ')] : []
}

const sessionRows = async (context: AccountContext) => {
  const { store, exchange, user, session, language, rules } = context
  const { account, signOut } = language.phrases
  const sessions = await ownSessions(store, exchange.tenant, user.id)
  return sessions.map(({ id, user_agent, ip, lastUsedAt, applicationName }) => {
    const name = deviceName(user_agent) ?? account.unknownDevice
    const link = { id: `end-${id}`, href: `/account/change/end-session?id=${id}`, text: signOut, about: name }
    const isCurrent = id === session.id
    return {
      name,
      details: [
        ...(isCurrent ? [account.thisDevice] : []),
        ...placeName(context, ip),
        ...(applicationName === null ? [] : [fill('{name}', { name: applicationName })]),
        fill(account.lastUsed, { date: language.day(lastUsedAt) }),
      ],
      links: isCurrent || rules.center.fields.session !== 'Edit' ? [] : [link],
    }
  })
}

const deviceRows = async (context: AccountContext) => {
  const { store, exchange, user, language, rules } = context
  const { account } = language.phrases
  const here = opaqueHash('device', readCookie(exchange, 'device'))
  const devices = await listTrustedDevices(store, exchange.tenant, user.id)
  return devices.map(({ id, user_agent, ip, last_used_at, secret_hash }) => {
    const name = deviceName(user_agent) ?? account.unknownDevice
    const link = {
      id: `distrust-${id}`,
      href: `/account/change/remove-device?id=${id}`,
      text: account.remove,
      about: name,
    }
    return {
      name,
      details: [
        ...(here?.equals(secret_hash) ? [account.thisDevice] : []),
        ...placeName(context, ip),
        fill(account.lastUsed, { date: language.day(last_used_at) }),
      ],
      links: rules.center.fields.trustedDevice === 'Edit' ? [link] : [],
    }
  })
}

export const showSessions = async (context: AccountContext): Promise<Answer> => {
  const { rules, language } = context
  const { account } = language.phrases
  const sessions = isShown(rules.center, 'session') ? await sessionRows(context) : []
  const devices = isShown(rules.center, 'trustedDevice') ? await deviceRows(context) : []
  const others =
    sessions.length > 1 && rules.center.fields.session === 'Edit'
      ? html`<p><a class="button quiet" id="end-others" href="/account/change/end-others">${account.endOthers}</a></p>`
      : html``
  return accountFrame(context, {
    section: 'sessions',
    title: language.phrases.accountSection.sessions,
    body: html`${savedNotice(context)}
${sessions.length > 0 ? rowList(sessions) : ''}${others}
${devices.length > 0 ? html`<h2>${account.trustedDevices}</h2><p class="hint">${account.trustedDevicesLead}</p>${rowList(devices)}` : ''}`,
  })
}

export const showApplications = async (context: AccountContext): Promise<Answer> => {
  const { store, exchange, user, rules, language } = context
  const { account } = language.phrases
  const grants = isShown(rules.center, 'session') ? await ownGrants(store, exchange.tenant, user.id, undefined) : []
  const rows = grants.map(({ id, application_name: name, lastUsedAt, created_at }) => {
    const link = { id: `revoke-${id}`, href: `/account/change/revoke?id=${id}`, text: account.remove, about: name }
    return {
      name,
      details: [
        fill(account.since, { date: language.day(created_at) }),
        fill(account.lastUsed, { date: language.day(lastUsedAt) }),
      ],
      links: rules.center.fields.session === 'Edit' ? [link] : [],
    }
  })
  return accountFrame(context, {
    section: 'applications',
    title: language.phrases.accountSection.applications,
    body: html`${savedNotice(context)}
${rows.length > 0 ? rowList(rows) : html`<p class="lead">${account.noApplications}</p>`}`,
  })
}
