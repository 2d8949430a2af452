/** Who and what the previews of pages are about: an application, a user and a code that do not exist. */
import { ACCOUNT_FIELDS } from '@countersign/contract/account-center.ts'
import type { Client } from '../domain/applications/clients.ts'
import type { Session } from '../domain/sessions/sessions.ts'
import type { AccountCenterSettings } from '../domain/sign-in/account-center.ts'
import type { CodeRecord, Draft } from '../domain/sign-in/draft.ts'
import type { UserRow } from '../domain/users/rows.ts'

/** The id of the application, the interaction, the session and the user. */
export const SAMPLE_ID = 'preview'
const AT = new Date(0)

/** The application that users come from, where none is named. */
export const SAMPLE_CLIENT: Client = {
  id: SAMPLE_ID,
  name: 'Acme',
  description: null,
  type: 'SPA',
  isConfidential: false,
  isThirdParty: false,
  hasAccessControl: false,
  metadata: {},
  authMethod: 'none',
  secrets: [],
  keys: [],
  redirectUris: [],
  postLogoutRedirectUris: [],
  look: undefined,
}

/** @param type where it was sent to */
export const sampleCode = (type: 'email' | 'phone'): CodeRecord => ({
  type: type === 'email' ? 'EmailVerificationCode' : 'PhoneVerificationCode',
  id: SAMPLE_ID,
  identifier: { type, value: type === 'email' ? 'alex@example.com' : '15550100' },
  templateType: 'SignIn',
  verified: false,
})

/** Of a user to whom a code was sent as a second factor. @param type where to */
export const sampleDraft = (type: 'email' | 'phone'): Draft => ({
  interactionEvent: 'SignIn',
  verificationRecords: [
    {
      type: type === 'email' ? 'MfaEmailVerificationCode' : 'MfaPhoneVerificationCode',
      id: SAMPLE_ID,
      identifier: sampleCode(type).identifier,
      templateType: 'MfaVerification',
      userId: SAMPLE_ID,
      verified: false,
    },
  ],
  profile: {},
})

export const SAMPLE_SESSION: Session = {
  id: SAMPLE_ID,
  userId: SAMPLE_ID,
  authenticatedAt: AT,
  amr: ['pwd'],
  expiresAt: AT,
}

/** What the profile page reads of a user. */
export const SAMPLE_USER = {
  id: SAMPLE_ID,
  name: 'Alex Miller',
  username: 'alex',
  primary_email: 'alex@example.com',
  primary_phone: null,
  avatar: null,
  profile: {},
  custom_data: {},
  identities: {},
  password_hash: null,
} as Partial<UserRow> as UserRow

/** Account pages with every part of an account. */
export const everyPart = (center: AccountCenterSettings): AccountCenterSettings => ({
  ...center,
  enabled: true,
  fields: Object.fromEntries(ACCOUNT_FIELDS.map((name) => [name, 'Edit'])),
})
