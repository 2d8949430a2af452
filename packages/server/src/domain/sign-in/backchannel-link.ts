/** The link that asks a user about a sign-in: it begins an interaction in which only that user can sign in. */
import { opaqueHash } from '../../kernel/opaque.ts'
import { operation } from '../../storage/unit-of-work.ts'
import { findByLink } from '../issued/backchannel-requests.ts'
import { createInteractionIn } from './interactions.ts'

/**
 * Begins the sign-in; returns the id of the interaction. The link stays valid until its request is answered or expires:
 * users may begin again elsewhere. Undefined: it is none, or its request is answered or has expired.
 * @param browser whose interaction it is
 */
export const beginBackchannelSignIn = operation(
  [],
  async (unit, browser: string, link: string): Promise<string | undefined> => {
    const linkHash = opaqueHash('backchannelLink', link)
    const row = linkHash && (await findByLink(unit, linkHash))
    if (!row?.user_id) return undefined
    const { binding_message: bindingMessage, authorization_details: authorizationDetails, acr } = row
    return createInteractionIn(unit, browser, {
      clientId: row.application_id,
      redirectUri: '',
      responseMode: 'query',
      scopes: row.scopes,
      resources: row.resources,
      prompts: [],
      hintedUserId: row.user_id,
      ...(acr === null ? {} : { acr }),
      ...(authorizationDetails === null ? {} : { authorizationDetails }),
      backchannel: { hash: row.hash.toString('hex'), ...(bindingMessage === null ? {} : { bindingMessage }) },
    })
  },
)
