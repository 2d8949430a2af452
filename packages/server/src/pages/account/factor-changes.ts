/** The pages on which users add second factors: an authenticator app, backup codes, passkeys with their names. */
import { html } from '@remix-run/html-template'
import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import { renameOwnPasskey, setOwnBackupCodes, setOwnTotp } from '../../domain/account/own-factors.ts'
import { addOwnPasskey, beginOwnPasskey, finishOwnPasskey } from '../../domain/account/own-passkeys.ts'
import { listFactors } from '../../domain/factors/administration.ts'
import { newBackupCodes } from '../../domain/factors/backup-codes.ts'
import { isTotpSecret, newTotpSecret, totpAddress } from '../../domain/factors/totp.ts'
import { issuerName } from '../../domain/sign-in/factor-proof.ts'
import { LONGEST_PASSKEY_NAME } from '../../domain/sign-in/passkey-proof.ts'
import { ApiError, notFound } from '../../kernel/api-error.ts'
import { perform } from '../../storage/unit-of-work.ts'
import { codeField, typedCode } from '../message-code.ts'
import { broughtPasskey, passkeyForm } from '../passkey-form.ts'
import { passkeyNameField, qrCode } from '../set-up-factor.ts'
import { entered, tokenField, work } from './account-page.ts'
import { type Change, idOf, simpleForm } from './change-page.ts'

/** @param isReplacing whether the new app takes the place of the present one, as soon as a code proves it */
const totp = (isReplacing: boolean): Change => ({
  field: 'mfa',
  section: 'security',
  async form(context, typed, error) {
    const { user, exchange, language } = context
    const { phrases } = language
    const before = typed ? entered(typed, 'secret') : ''
    const secret = isTotpSecret(before) ? before : newTotpSecret()
    const account = user.username ?? user.primary_email ?? user.primary_phone ?? user.id
    const address = totpAddress(secret, { issuer: issuerName(exchange.tenant), account })
    return {
      title: phrases.totpTitle,
      lead: isReplacing ? `${phrases.totpLead} ${phrases.account.replaceTotpLead}` : phrases.totpLead,
      body: html`${qrCode(language, { uri: address.uri, secretQrCode: address.qrCode, secret })}
<form method="post" id="change">
${tokenField(context)}
<input type="hidden" name="secret" value="${secret}">
${codeField(context, error !== undefined)}
<button type="submit" id="submit">${phrases.confirm}</button>
</form>`,
    }
  },
  async submit(context, fields) {
    const { holder, rules } = context
    const made = { secret: entered(fields, 'secret'), code: typedCode(entered(fields, 'code')) }
    const action = isReplacing ? 'ReplaceTotp' : 'AddTotp'
    await perform(work(context, action), setOwnTotp, holder, rules, made, isReplacing)
    return undefined
  },
})

const backupCodes: Change = {
  field: 'mfa',
  section: 'security',
  async form(context) {
    const { phrases } = context.language
    const codes = newBackupCodes()
    return {
      title: phrases.backupCodesTitle,
      lead: phrases.backupCodesLead,
      body: html`<ul class="codes" id="codes">${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>
${simpleForm(context, html`<input type="hidden" name="codes" value="${codes.join(' ')}">`, phrases.backupCodesSaved)}`,
    }
  },
  async submit(context, fields) {
    const { holder, rules } = context
    const codes = entered(fields, 'codes').split(' ')
    await perform(work(context, 'SetBackupCodes'), setOwnBackupCodes, holder, rules, codes)
    return undefined
  },
}

const passkey: Change = {
  field: 'passkey',
  section: 'security',
  async form(context) {
    const { holder, rules, language } = context
    const { phrases } = language
    const begun = await beginOwnPasskey(work(context, 'BeginPasskey'), holder, rules)
    const { registrationOptions: options, verificationRecordId: verificationId } = begun
    return {
      title: phrases.passkeyTitle,
      lead: phrases.passkeyLead,
      body: passkeyForm(context, {
        ceremony: 'create',
        options,
        button: phrases.makePasskey,
        fields: { verificationId },
        more: passkeyNameField(language, ''),
      }),
    }
  },
  async submit(context, fields) {
    const { holder, rules } = context
    const made = broughtPasskey<RegistrationResponseJSON>(entered(fields, 'payload'))
    if (!made) throw new ApiError('session.mfa.webauthn_verification_failed')
    const id = entered(fields, 'verificationId')
    await finishOwnPasskey(work(context, 'FinishPasskey'), holder, rules, id, made)
    const name = nameIn(entered(fields, 'name'))
    await perform(work(context, 'AddPasskey'), addOwnPasskey, holder, rules, id, name === '' ? undefined : name)
    return undefined
  },
}

/** As it is kept. */
const nameIn = (typed: string): string =>
  [...typed.replaceAll(/\p{Cc}/gu, ' ').trim()].slice(0, LONGEST_PASSKEY_NAME).join('')

const renamedPasskey: Change = {
  field: 'passkey',
  section: 'security',
  async form(context, typed) {
    const { store, exchange, user, language } = context
    const { phrases } = language
    const own = await listFactors(store, exchange.tenant, user.id)
    const factor = own.find(({ id, type }) => id === idOf(context) && type === 'WebAuthn')
    if (!factor) throw notFound('factor', idOf(context))
    const name = typed ? entered(typed, 'name') : (factor.name ?? '')
    const field = passkeyNameField(language, name)
    return { title: phrases.account.renameTitle, body: simpleForm(context, field, phrases.account.save) }
  },
  async submit(context, fields) {
    const { holder, rules } = context
    const name = nameIn(entered(fields, 'name'))
    if (name !== '') await perform(work(context, 'RenamePasskey'), renameOwnPasskey, holder, rules, idOf(context), name)
    return undefined
  },
}

export const factorChanges = {
  totp: totp(false),
  'replace-totp': totp(true),
  'backup-codes': backupCodes,
  passkey,
  'rename-passkey': renamedPasskey,
} as const
