/** Second factors, passkeys and trusted devices as steps of an interaction, contract to domain. */
import { experienceFactorRoutes } from '@countersign/contract/experience-factors.ts'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { sendFactorCode, verifyFactorCode } from '../domain/sign-in/factor-code-proof.ts'
import {
  beginTotp,
  bindFactor,
  bindSignInPasskey,
  chooseFactors,
  chooseTrustedDevice,
  generateBackupCodes,
  issuerName,
  skipFactors,
  verifyBackupCode,
  verifyTotp,
} from '../domain/sign-in/factor-proof.ts'
import { findDraft } from '../domain/sign-in/interaction-drafts.ts'
import {
  beginPasskey,
  finishPasskey,
  passkeyOptions,
  signInPasskeyOptions,
  verifyPasskey,
  verifySignInPasskey,
} from '../domain/sign-in/passkey-proof.ts'
import { bind } from '../http/api.ts'
import { newId } from '../kernel/ids.ts'
import { stepOf } from './interaction.ts'

/** As the browser made it: the wire calls the type by another name. */
const asMade = (payload: object) =>
  ({ clientExtensionResults: {}, ...payload, type: 'public-key' }) as unknown as RegistrationResponseJSON
const asProved = (payload: object) =>
  ({ clientExtensionResults: {}, ...payload, type: 'public-key' }) as unknown as AuthenticationResponseJSON

const addressType = (name: string) => (name.toLowerCase() === 'email' ? 'email' : 'phone')

export const experienceFactorHandlers = bind(experienceFactorRoutes, {
  async createTotpSecret(_input, call) {
    const { verificationId, secret, secretQrCode } = await beginTotp(await stepOf(call), issuerName(call.tenant))
    return { verificationId, secret, secretQrCode }
  },
  async verifyTotp({ body }, call) {
    return { verificationId: await verifyTotp(await stepOf(call), body.code, body.verificationId) }
  },
  async generateBackupCodes(_input, call) {
    return generateBackupCodes(await stepOf(call))
  },
  async verifyBackupCode({ body }, call) {
    return { verificationId: await verifyBackupCode(await stepOf(call), body.code) }
  },
  async sendFactorCode({ body }, call) {
    return { verificationId: await sendFactorCode(await stepOf(call), addressType(body.identifierType)) }
  },
  async verifyFactorCode({ body }, call) {
    const { verificationId, code, identifierType } = body
    await verifyFactorCode(await stepOf(call), addressType(identifierType), verificationId, code)
    return { verificationId }
  },
  async beginPasskey(_input, call) {
    const { verificationId, registrationOptions } = await beginPasskey(await stepOf(call))
    return { verificationId, registrationOptions: { ...registrationOptions } }
  },
  async finishPasskey({ body }, call) {
    return { verificationId: await finishPasskey(await stepOf(call), body.verificationId, asMade(body.payload)) }
  },
  async getPasskeyOptions(_input, call) {
    return { verificationId: newId(), authenticationOptions: { ...(await passkeyOptions(await stepOf(call))) } }
  },
  async verifyPasskey({ body }, call) {
    return { verificationId: await verifyPasskey(await stepOf(call), asProved(body.payload)) }
  },
  async getSignInPasskeyOptions(_input, call) {
    const step = await stepOf(call)
    await findDraft(step.work, step.interactionId)
    return { verificationId: newId(), authenticationOptions: { ...(await signInPasskeyOptions(step)) } }
  },
  async verifySignInPasskey({ body }, call) {
    return { verificationId: await verifySignInPasskey(await stepOf(call), asProved(body.payload)) }
  },
  async preflightSignInPasskey(_input, call) {
    return { authenticationOptions: { ...(await signInPasskeyOptions(await stepOf(call))) } }
  },
  async addFactor({ body }, call) {
    await bindFactor(await stepOf(call), body.type, body.verificationId)
  },
  async addSignInPasskey({ body }, call) {
    await bindSignInPasskey(await stepOf(call), body.verificationId)
  },
  async skipSignInPasskey(_input, call) {
    await chooseFactors(await stepOf(call), { passkeySkipped: true })
  },
  async enableMfa(_input, call) {
    await chooseFactors(await stepOf(call), { enabled: true })
  },
  async skipMfa(_input, call) {
    await skipFactors(await stepOf(call), { skipped: true })
  },
  async skipMfaSuggestion(_input, call) {
    await skipFactors(await stepOf(call), { additionalBindingSuggestionSkipped: true })
  },
  async trustDevice(_input, call) {
    await chooseTrustedDevice(await stepOf(call))
  },
})
