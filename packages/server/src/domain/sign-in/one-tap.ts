/** Google One Tap: where it is offered, and the nonce that binds what it brings to the interaction whose page showed it. */
import { timingSafeEqual } from 'node:crypto'
import type { Vault } from '../../kernel/secrets.ts'
import type { Work } from '../../storage/unit-of-work.ts'
import { socialProvider } from '../delivery/connectors.ts'
import type { SignInExperience } from './experience.ts'

/** What the script of Google is configured with. */
export interface OfferedOneTap {
  readonly isEnabled: true
  readonly autoSelect?: boolean
  readonly closeOnTapOutside?: boolean
  readonly itpSupport?: boolean
  readonly clientId: string
  readonly connectorId: string
}

/** Undefined: it is not offered. */
export const offeredOneTap = async (
  { store, tenant }: Pick<Work, 'store' | 'tenant'>,
  { socialConnectors }: Pick<SignInExperience, 'socialConnectors'>,
): Promise<OfferedOneTap | undefined> => {
  const google = socialConnectors.find(({ target }) => target === 'google')
  const connector = google && (await socialProvider(store, tenant, google.id))
  if (!connector?.oneTap) return undefined
  const { clientId } = connector.provider
  return { ...connector.oneTap, isEnabled: true, clientId, connectorId: connector.id }
}

/** The nonce for the page of an interaction; it names the interaction. */
export const nonceOf = (vault: Vault, interactionId: string): string =>
  `${interactionId}.${vault.authenticate(interactionId, 'one-tap').toString('base64url')}`

/** Whether a credential was made for the page of this interaction. */
export const isNonceOf = (vault: Vault, interactionId: string, nonce: string | undefined): boolean => {
  const [given, right] = [Buffer.from(nonce ?? ''), Buffer.from(nonceOf(vault, interactionId))]
  return given.length === right.length && timingSafeEqual(given, right)
}
