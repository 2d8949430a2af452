/** An account as its user sees it: what the scopes of the token cover and the settings show (SECURITY R-34). */
import type { accountRoutes } from '@countersign/contract/account.ts'
import type { RouteResult } from '@countersign/contract/route.ts'
import { isShown } from '../domain/account/field-policy.ts'
import type { AccountCenterSettings } from '../domain/sign-in/account-center.ts'
import type { UserRow } from '../domain/users/rows.ts'
import { type SsoIdentityRow, ssoIdentityEntity } from '../domain/users/sso-identities.ts'
import { clientMembers } from '../kernel/document-ids.ts'
import type { KnownHolder } from './authorize.ts'

type Account = RouteResult<typeof accountRoutes.getMyAccount>

export const toAccount = (
  row: UserRow,
  { scopes, subject }: Pick<KnownHolder, 'scopes' | 'subject'>,
  center: AccountCenterSettings,
  ssoIdentities: readonly SsoIdentityRow[],
): Account => {
  const has = (scope: string) => scopes.includes(scope)
  const shows = (field: Parameters<typeof isShown>[1]) => isShown(center, field)
  const { address, ...claims } = row.profile as { readonly address?: object }
  const ofProfile: Account = {
    ...clientMembers(row.application_id),
    isSuspended: row.is_suspended,
    lastSignInAt: row.last_sign_in_at?.getTime() ?? null,
    createdAt: row.created_at.getTime(),
    updatedAt: row.updated_at.getTime(),
    ...(shows('username') ? { username: row.username } : {}),
    ...(shows('name') ? { name: row.name } : {}),
    ...(shows('avatar') ? { avatar: row.avatar } : {}),
    ...(shows('profile') ? { profile: { ...claims, ...(address && has('address') ? { address } : {}) } } : {}),
    ...(shows('password') ? { hasPassword: row.password_hash !== null } : {}),
  }
  return {
    // as the application knows the user: with pairwise subjects not the id
    id: subject,
    hasSecurityVerificationMethod: [row.password_hash, row.primary_email, row.primary_phone].some(
      (method) => method !== null,
    ),
    ...(has('profile') ? ofProfile : {}),
    ...(has('email') && shows('email') ? { primaryEmail: row.primary_email } : {}),
    ...(has('phone') && shows('phone') ? { primaryPhone: row.primary_phone } : {}),
    ...(has('custom_data') && shows('customData') ? { customData: row.custom_data } : {}),
    ...(has('identities') && shows('social') ? { identities: row.identities as Account['identities'] } : {}),
    ...(has('identities') && shows('social') ? { ssoIdentities: ssoIdentities.map(ssoIdentityEntity) } : {}),
  }
}
