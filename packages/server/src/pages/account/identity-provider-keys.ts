/** Our certificates towards the SAML identity provider of an organization: pages on which one is made, activated and removed. */
import { html } from '@remix-run/html-template'
import {
  activateManagedKey,
  createManagedKey,
  deleteManagedKey,
  keysManaged,
} from '../../domain/account/organization-sso-keys.ts'
import { notFound } from '../../kernel/api-error.ts'
import type { Phrases } from '../../languages/en.ts'
import { fill } from '../../presentation/language.ts'
import { perform } from '../../storage/unit-of-work.ts'
import { type AccountContext, work } from './account-page.ts'
import { type Change, simpleForm } from './change-page.ts'
import { certificateName, connectorHere, connectorHome, connectorNamed } from './identity-provider.ts'
import { removal } from './removals.ts'
import { ssoErrorText } from './sso-errors.ts'

const ofKeys = { field: 'organizationSso', section: 'organizations' } as const
const home = { home: connectorHome, errorText: ssoErrorText } as const

/** What a page calls the key that the address names. Throws 404. */
const nameHere = async (context: AccountContext): Promise<string> => {
  const { holder, rules } = context
  const named = connectorNamed(context)
  const keys = await keysManaged(work(context, 'SingleSignOn'), holder, rules, named)
  const key = keys.find(({ id }) => id === named.keyId)
  if (!key) throw notFound('signing key', named.keyId)
  return certificateName(key.certificate)
}

const added: Change = {
  ...ofKeys,
  ...home,
  async form(context) {
    const { singleSignOn, account } = context.language.phrases
    await connectorHere(context)
    return {
      title: singleSignOn.newCertificate,
      lead: singleSignOn.newCertificateLead,
      body: simpleForm(context, html``, account.add),
    }
  },
  async submit(context) {
    const { holder, rules } = context
    await createManagedKey(work(context, 'AddCertificate'), holder, rules, connectorNamed(context), false)
    return undefined
  },
}

const activation = (
  isActive: boolean,
  texts: (phrases: Phrases['singleSignOn']) => {
    readonly title: string
    readonly lead: string
    readonly button: string
  },
): Change => ({
  ...removal({
    ...ofKeys,
    async describe(context) {
      const { title, lead, button } = texts(context.language.phrases.singleSignOn)
      return { title: fill(title, { name: await nameHere(context) }), lead, button }
    },
    async run(context) {
      const doing = work(context, isActive ? 'ActivateCertificate' : 'DeactivateCertificate')
      const { holder, rules } = context
      await perform(doing, activateManagedKey, holder, rules, connectorNamed(context), isActive)
    },
  }),
  ...home,
})

const removed: Change = {
  ...removal({
    ...ofKeys,
    async describe(context) {
      const { account, singleSignOn } = context.language.phrases
      return {
        title: fill(account.removeTitle, { name: await nameHere(context) }),
        lead: singleSignOn.removeCertificateLead,
        button: account.remove,
      }
    },
    run: (context) =>
      perform(
        ...([work(context, 'RemoveCertificate'), deleteManagedKey] as const),
        ...([context.holder, context.rules, connectorNamed(context)] as const),
      ),
  }),
  ...home,
}

export const certificateChanges = {
  'new-certificate': added,
  'activate-certificate': activation(true, ({ activateTitle: title, activateLead: lead, activate: button }) => ({
    ...{ title, lead, button },
  })),
  'deactivate-certificate': activation(
    false,
    ({ deactivateTitle: title, deactivateLead: lead, deactivate: button }) => ({
      ...{ title, lead, button },
    }),
  ),
  'remove-certificate': removed,
} as const
