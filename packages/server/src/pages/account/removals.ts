/** The pages that ask before something is taken away or ended: one sentence and a button. */
import type { AccountField } from '@countersign/contract/account-center.ts'
import { html } from '@remix-run/html-template'
import { removeOwnFactor } from '../../domain/account/own-factors.ts'
import { removeOwnIdentity } from '../../domain/account/own-identities.ts'
import {
  deleteOwnDevice,
  endOtherSessions,
  endOwnSession,
  ownGrants,
  ownSessions,
  revokeOwnGrant,
} from '../../domain/account/own-sessions.ts'
import { listFactors } from '../../domain/factors/administration.ts'
import { listTrustedDevices } from '../../domain/factors/trusted-devices.ts'
import { identityAt } from '../../domain/users/identities.ts'
import { notFound } from '../../kernel/api-error.ts'
import { fill } from '../../presentation/language.ts'
import { perform } from '../../storage/unit-of-work.ts'
import { type AccountContext, type Section, work } from './account-page.ts'
import { type Change, idOf, simpleForm } from './change-page.ts'
import { deviceName } from './device-name.ts'
import { shownTarget } from './elsewhere.ts'

interface Described {
  readonly title: string
  readonly lead: string
  readonly button: string
}

interface Removal {
  readonly field: AccountField
  readonly section: Section
  /** Throws 404 where what is to be removed does not exist. */
  readonly describe: (context: AccountContext) => Described | Promise<Described>
  readonly run: (context: AccountContext) => Promise<void>
}

export const removal = ({ field, section, describe, run }: Removal): Change => ({
  field,
  section,
  async form(context) {
    const { title, lead, button } = await describe(context)
    return { title, lead, body: simpleForm(context, html``, button) }
  },
  async submit(context) {
    await run(context)
    return undefined
  },
})

const found = <T>(row: T | undefined, kind: string, id: string): T => {
  if (row === undefined) throw notFound(kind, id)
  return row
}

const factor = (field: 'mfa' | 'passkey'): Change =>
  removal({
    field,
    section: 'security',
    async describe(context) {
      const { phrases } = context.language
      const own = await listFactors(context.store, context.exchange.tenant, context.user.id)
      const { name, type } = found(
        own.find(({ id }) => id === idOf(context)),
        'factor',
        idOf(context),
      )
      return {
        title: fill(phrases.account.removeTitle, { name: name ?? phrases.factorName[type] }),
        lead: phrases.account.removeFactorLead,
        button: phrases.account.remove,
      }
    },
    run: (context) =>
      perform(work(context, 'RemoveFactor'), removeOwnFactor, context.holder, context.rules, idOf(context)),
  })

const identity = removal({
  field: 'social',
  section: 'security',
  describe(context) {
    const { account } = context.language.phrases
    const target = idOf(context)
    found(identityAt(context.user, target), 'identity', target)
    return {
      title: fill(account.removeTitle, { name: shownTarget(context, target) }),
      lead: account.removeLead,
      button: account.remove,
    }
  },
  run: (context) =>
    perform(work(context, 'RemoveIdentity'), removeOwnIdentity, context.holder, context.rules, idOf(context)),
})

const session = removal({
  field: 'session',
  section: 'sessions',
  async describe(context) {
    const { account, signOut } = context.language.phrases
    const own = await ownSessions(context.store, context.exchange.tenant, context.user.id)
    const { user_agent } = found(
      own.find(({ id }) => id === idOf(context)),
      'session',
      idOf(context),
    )
    const name = deviceName(user_agent) ?? account.unknownDevice
    return { title: fill(account.endTitle, { name }), lead: account.endLead, button: signOut }
  },
  run: (context) =>
    perform(work(context, 'EndSession'), endOwnSession, context.holder, context.rules, idOf(context), 'all'),
})

const others = removal({
  field: 'session',
  section: 'sessions',
  describe({ language: { phrases } }) {
    const { account } = phrases
    return { title: account.endOthersTitle, lead: account.endLead, button: account.endOthers }
  },
  run: (context) => perform(work(context, 'EndOtherSessions'), endOtherSessions, context.holder, context.rules),
})

const device = removal({
  field: 'trustedDevice',
  section: 'sessions',
  async describe(context) {
    const { account } = context.language.phrases
    const own = await listTrustedDevices(context.store, context.exchange.tenant, context.user.id)
    const { user_agent } = found(
      own.find(({ id }) => id === idOf(context)),
      'device',
      idOf(context),
    )
    return {
      title: fill(account.removeTitle, { name: deviceName(user_agent) ?? account.unknownDevice }),
      lead: account.removeDeviceLead,
      button: account.remove,
    }
  },
  run: (context) =>
    perform(work(context, 'RemoveDevice'), deleteOwnDevice, context.holder, context.rules, idOf(context)),
})

const grant = removal({
  field: 'session',
  section: 'applications',
  async describe(context) {
    const { account } = context.language.phrases
    const own = await ownGrants(context.store, context.exchange.tenant, context.user.id, undefined)
    const { application_name: name } = found(
      own.find(({ id }) => id === idOf(context)),
      'grant',
      idOf(context),
    )
    return { title: fill(account.removeTitle, { name }), lead: account.revokeLead, button: account.remove }
  },
  run: (context) => perform(work(context, 'RevokeGrant'), revokeOwnGrant, context.holder, context.rules, idOf(context)),
})

export const removals = {
  'remove-factor': factor('mfa'),
  'remove-passkey': factor('passkey'),
  'remove-identity': identity,
  'end-session': session,
  'end-others': others,
  'remove-device': device,
  revoke: grant,
} as const
