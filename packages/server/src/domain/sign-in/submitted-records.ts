/**
 * What was verified in a sign-in, as the session records it and the Management API, the Experience API and custom
 * claims scripts show it: the records of the interaction without password data.
 */
import type { OneTimeTokenContext } from '@countersign/contract/one-time-tokens.ts'
import { newId } from '../../kernel/ids.ts'
import type { Identifier } from '../credentials/identifiers.ts'
import type { FederatedAccount } from '../federation/provider.ts'
import type { CodeUsage, VerificationRecord } from './draft.ts'

export interface SubmittedRecord {
  readonly id: string
  readonly type: VerificationRecord['type']
  readonly identifier?: Identifier
  /** Of a second factor: whose, once that is known. */
  readonly userId?: string
  /** Of a code: what it was sent for. */
  readonly templateType?: CodeUsage
  /** Of a one-time token: what it is for. */
  readonly oneTimeTokenContext?: OneTimeTokenContext
  /** Of an account at a provider: the connector, and what the provider said. */
  readonly connectorId?: string
  readonly socialUserInfo?: Readonly<Record<string, string>>
  readonly enterpriseSsoUserInfo?: Readonly<Record<string, string>>
  readonly issuer?: string
  /** Not for a name and a password to register with, which prove nothing. */
  readonly verified?: boolean
}

/** What a provider said, without what is not ours to show. */
const userInfoOf = ({ id, email, phone, name, avatar }: FederatedAccount): Readonly<Record<string, string>> => ({
  id,
  ...(email ? { email } : {}),
  ...(phone ? { phone } : {}),
  ...(name ? { name } : {}),
  ...(avatar ? { avatar } : {}),
})

/** A record as it is shown. */
export const shownRecord = (record: VerificationRecord): SubmittedRecord => {
  const { id, type } = record
  switch (record.type) {
    case 'Password':
      return { id, type, identifier: record.identifier, verified: true }
    case 'EmailVerificationCode':
    case 'PhoneVerificationCode':
    case 'MfaEmailVerificationCode':
    case 'MfaPhoneVerificationCode':
      return { id, type, identifier: record.identifier, templateType: record.templateType, verified: record.verified }
    case 'NewPasswordIdentity':
      return { id, type, identifier: record.identifier }
    case 'OneTimeToken':
      return { id, type, identifier: record.identifier, oneTimeTokenContext: record.context, verified: true }
    case 'Social': {
      const { connectorId, account } = record
      return {
        id,
        type,
        connectorId,
        ...(account ? { socialUserInfo: userInfoOf(account) } : {}),
        verified: account !== undefined,
      }
    }
    case 'EnterpriseSso': {
      const { connectorId, account } = record
      const said = account ? { enterpriseSsoUserInfo: userInfoOf(account), issuer: account.issuer } : {}
      return { id, type, connectorId, ...said, verified: account !== undefined }
    }
    case 'Totp':
    case 'WebAuthn':
    case 'SignInPasskey':
    case 'BackupCode':
      return { id, type, ...(record.userId ? { userId: record.userId } : {}), verified: record.verified }
  }
}

/** The record for a page that accepts name and password in one step. */
export const recordOfPage = (type: 'Password' | 'NewPasswordIdentity', identifier: Identifier): SubmittedRecord => ({
  id: newId(),
  type,
  identifier: { type: identifier.type, value: identifier.value },
  ...(type === 'Password' ? { verified: true } : {}),
})
