/** The steps of an interaction, contract to domain. */
import { experienceRoutes } from '@countersign/contract/experience.ts'
import { isTokenFor } from '../domain/issued/one-time-tokens.ts'
import { SESSION_SECONDS } from '../domain/sessions/sessions.ts'
import { captchaFor, isCaptchaWanted, passesCaptcha } from '../domain/sign-in/captcha.ts'
import { sendVerificationCode, verifyCode } from '../domain/sign-in/code-proof.ts'
import type { Draft, VerificationRecord } from '../domain/sign-in/draft.ts'
import {
  chooseIdentity,
  enterPassword,
  enterReplacement,
  enterUnproved,
  enterUsername,
  verifyPasswordFor,
} from '../domain/sign-in/draft-profile.ts'
import { deviceDays, signInExperience } from '../domain/sign-in/experience.ts'
import { enterExtraProfile } from '../domain/sign-in/extra-profile.ts'
import { findDraft, startDraft, switchDraft } from '../domain/sign-in/interaction-drafts.ts'
import { tokenOfRequest, verifiedToken, verifyToken } from '../domain/sign-in/one-time-token-proof.ts'
import { assertOffered } from '../domain/sign-in/rules.ts'
import { provesOwnDevice } from '../domain/sign-in/second-factors.ts'
import { enterSocial } from '../domain/sign-in/social-identity.ts'
import { identify, submitInteraction } from '../domain/sign-in/submission.ts'
import { shownRecord } from '../domain/sign-in/submitted-records.ts'
import { enterVerified } from '../domain/sign-in/verified-address.ts'
import { bind } from '../http/api.ts'
import { readCookie } from '../http/cookies.ts'
import { sessionCookies } from '../http/session-cookies.ts'
import { signInContext } from '../kernel/places.ts'
import { interactionOf, stepOf } from './interaction.ts'

/** A passkey or an account elsewhere proves as much as a captcha, and no program can guess it. */
const isBeyondGuessing = (record: VerificationRecord): boolean =>
  (record.type === 'SignInPasskey' && record.verified) ||
  ((record.type === 'Social' || record.type === 'EnterpriseSso') && record.account !== undefined)

const toProfile = ({ profile, hasAnsweredFields }: Draft) => {
  const { username, primaryEmail, primaryPhone, name, avatar, profile: more, customData } = profile
  return {
    ...(username ? { username } : {}),
    ...(primaryEmail ? { primaryEmail } : {}),
    ...(primaryPhone ? { primaryPhone } : {}),
    ...(name ? { name } : {}),
    ...(avatar ? { avatar } : {}),
    ...(more ? { profile: more } : {}),
    ...(customData ? { customData } : {}),
    ...(hasAnsweredFields ? { submitted: true } : {}),
  }
}

const toFactors = ({ factorChoices = {}, newFactors = [] }: Draft) => {
  const { enabled, skipped, additionalBindingSuggestionSkipped } = factorChoices
  const passkeys = newFactors.flatMap((factor) =>
    factor.type === 'WebAuthn' ? [{ type: 'WebAuthn' as const, credentialId: factor.credential.credentialId }] : [],
  )
  return {
    ...(enabled === undefined ? {} : { mfaEnabled: enabled }),
    ...(skipped === undefined ? {} : { mfaSkipped: skipped }),
    ...(additionalBindingSuggestionSkipped === undefined ? {} : { additionalBindingSuggestionSkipped }),
    ...(newFactors.some(({ type }) => type === 'Totp') ? { totp: { type: 'Totp' as const } } : {}),
    ...(passkeys.length > 0 ? { webAuthn: passkeys } : {}),
    ...(newFactors.some(({ type }) => type === 'BackupCode') ? { backupCode: { type: 'BackupCode' as const } } : {}),
  }
}

export const experienceHandlers = bind(experienceRoutes, {
  async startInteraction({ body }, call) {
    const step = await stepOf(call)
    assertOffered(step.experience, body.interactionEvent, { isSocial: step.experience.socialConnectors.length > 0 })
    const isHuman = await passesCaptcha(step, body.captchaToken)
    await call.perform(startDraft, step.interactionId, body.interactionEvent, isHuman)
  },
  async getCaptcha(_input, call) {
    const step = await stepOf(call)
    const isRequired = await isCaptchaWanted(step, undefined)
    const { enabled } = step.experience.captchaPolicy
    return { isRequired, ...(enabled ? { captcha: await captchaFor(step.work, step.interactionId) } : {}) }
  },
  async switchInteractionEvent({ body }, call) {
    const { id } = await interactionOf(call)
    if (body.interactionEvent !== 'ForgotPassword') {
      const draft = await findDraft(call, id)
      const token = verifiedToken(draft)
      // users of a company are new where registration is off, too
      const isOfCompany = draft.verificationRecords.some((each) => each.type === 'EnterpriseSso' && each.account)
      const isInvited = isOfCompany || (token !== undefined && isTokenFor(token.context, 'Register'))
      const experience = await signInExperience(call.store, call.tenant)
      const isSocial = experience.socialConnectors.length > 0
      assertOffered(experience, body.interactionEvent, { isOther: true, isInvited, isSocial })
    }
    await call.perform(switchDraft, id, body.interactionEvent)
  },
  async getInteraction(_input, call) {
    const { id } = await interactionOf(call)
    const draft = await findDraft(call, id)
    const { identified } = draft
    const place = call.store.places.of(call.caller.ip)
    const { trustedDevice } = await signInExperience(call.store, call.tenant)
    return {
      interactionEvent: draft.interactionEvent,
      ...(draft.identified ? { userId: draft.identified.userId } : {}),
      ...(trustedDevice.enabled && identified
        ? {
            trustedDevice: {
              canCreate: provesOwnDevice(draft, identified.userId),
              durationDays: trustedDevice.durationDays,
            },
          }
        : {}),
      profile: toProfile(draft),
      verificationRecords: draft.verificationRecords.map(shownRecord),
      mfa: toFactors(draft),
      ...(place ? { signInContext: signInContext(place) } : {}),
      captcha: { verified: draft.isHuman === true, skipped: draft.verificationRecords.some(isBeyondGuessing) },
    }
  },
  async verifyPassword({ body }, call) {
    return { verificationId: await verifyPasswordFor(await stepOf(call), body.identifier, body.password) }
  },
  async sendVerificationCode({ body }, call) {
    return { verificationId: await sendVerificationCode(await stepOf(call), body.interactionEvent, body.identifier) }
  },
  async verifyVerificationCode({ body }, call) {
    await verifyCode(await stepOf(call), body.identifier, body.verificationId, body.code)
    return { verificationId: body.verificationId }
  },
  async verifyNewPasswordIdentity({ body }, call) {
    return { verificationId: await chooseIdentity(await stepOf(call), body.identifier, body.password) }
  },
  async proveOneTimeToken({ body }, call) {
    const step = await stepOf(call)
    const { request } = step.interaction
    const email = body.identifier?.value ?? request.loginHint ?? ''
    const token = body.token ?? tokenOfRequest(call, request) ?? ''
    return { verificationId: await verifyToken(step, email, token) }
  },
  async identify({ body }, call) {
    const step = await stepOf(call)
    const { interactionId, experience } = step
    // by an identifier that was not verified an account can be registered without a step that asks for it
    const isWanted = await isCaptchaWanted(step, undefined)
    const { verificationId: recordId, linkSocialIdentity: isLinkWanted = false } = body
    const how = { needsCaptcha: isWanted, isLinkWanted }
    const { interactionEvent } = await call.perform(identify, interactionId, experience, recordId, how)
    if (interactionEvent === 'Register') call.reply.useOtherStatus()
  },
  async addProfile({ body }, call) {
    const step = await stepOf(call)
    switch (body.type) {
      case 'username':
        return enterUsername(step, body.value)
      case 'password':
        return enterPassword(step, body.value)
      case 'extraProfile':
        return enterExtraProfile(step, body.values)
      default:
        if (body.type === 'social') return enterSocial(step, body.verificationId)
        return 'verificationId' in body
          ? enterVerified(step, body.type, body.verificationId)
          : enterUnproved(step, body)
    }
  },
  async resetPassword({ body }, call) {
    await enterReplacement(await stepOf(call), body.password)
  },
  async submitInteraction(_input, call) {
    const { tenant, exchange, reply } = call
    const { work, interaction, experience } = await stepOf(call)
    const submission = {
      interaction,
      previousSecret: readCookie(exchange, 'session'),
      device: readCookie(exchange, 'device'),
    }
    const session = await submitInteraction(work, submission, experience)
    if (session === undefined) return {}
    const cookies = sessionCookies(tenant, session, SESSION_SECONDS, deviceDays(experience))
    for (const cookie of cookies) reply.setCookie(cookie)
    return { redirectTo: `${tenant.issuer}/auth/${interaction.id}` }
  },
})
