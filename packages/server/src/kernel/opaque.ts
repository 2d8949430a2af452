/**
 * Opaque token values. Each begins with its kind, is looked up by kind and hash, and is stored only as
 * a hash (DECISIONS G2, SECURITY R-4): a token of one kind cannot be used as another.
 */
import { newBytes } from './ids.ts'
import { hashSecret } from './secrets.ts'

/** Kind → prefix. */
const PREFIX = {
  accessToken: 'cs_at_',
  authorizationCode: 'cs_ac_',
  pushedRequest: 'cs_pr_',
  logoutRequest: 'cs_lr_',
  samlState: 'cs_ss_',
  samlLogout: 'cs_sl_',
  deviceCode: 'cs_dc_',
  subjectToken: 'sub_',
  session: 'cs_se_',
  browser: 'cs_br_',
  device: 'cs_td_',
  deviceSecret: 'cs_ds_',
  oneTimeToken: 'cs_ot_',
  scimToken: 'scim_',
  accountDeletion: 'cs_ad_',
  administratorLink: 'cs_al_',
  ownerNotice: 'cs_on_',
  initialAccessToken: 'cs_ia_',
  registrationToken: 'cs_ra_',
  backchannelRequest: 'cs_ba_',
  backchannelLink: 'cs_bl_',
} as const

export type OpaqueKind = keyof typeof PREFIX

const BODY = /^[A-Za-z0-9_-]{43}$/

/** A new value of the kind: the prefix and 32 random bytes. */
export const newOpaque = (kind: OpaqueKind): string => PREFIX[kind] + newBytes(32).toString('base64url')

/** The same, with the hash by which it is looked up. */
export const newHashedOpaque = (kind: OpaqueKind): { readonly value: string; readonly hash: Buffer } => {
  const value = newOpaque(kind)
  return { value, hash: hashSecret(value) }
}

/** The hash by which a value of this kind is looked up; undefined when it is not a value of the kind. */
export const opaqueHash = (kind: OpaqueKind, value: string | undefined): Buffer | undefined => {
  const prefix = PREFIX[kind]
  if (!value?.startsWith(prefix) || !BODY.test(value.slice(prefix.length))) return undefined
  return hashSecret(value)
}
