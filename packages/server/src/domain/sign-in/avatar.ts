/** An avatar that is uploaded in an interaction. */
import { countUpload } from '../credentials/address-failures.ts'
import { storeAvatar } from '../uploads/images.ts'
import { assertEnterable, type Step } from './draft-profile.ts'
import { enterExtraProfile } from './extra-profile.ts'
import { findDraft } from './interaction-drafts.ts'

/**
 * Stores an avatar and enters its address as that of the profile; returns the address.
 * Throws as enterExtraProfile and storeAvatar do, and 429 `request.rate_limited`.
 */
export const uploadAvatar = async (step: Step, file: Uint8Array): Promise<string> => {
  const { work, interactionId } = step
  assertEnterable(await findDraft(work, interactionId))
  countUpload(work)
  const url = await storeAvatar(work, file)
  await enterExtraProfile(step, { avatar: url })
  return url
}
