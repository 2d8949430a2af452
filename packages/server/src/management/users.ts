/** `/users`: users, their data, their passwords, their suspension and their roles. */
import type { User } from '@countersign/contract/user.ts'
import { userRoutes } from '@countersign/contract/users.ts'
import type { Static } from 'typebox'
import { addUserRoles, listUserRoles, removeUserRole, replaceUserRoles } from '../domain/access/user-roles.ts'
import {
  changeAdministeredUser,
  createAdministeredUser,
  mergeAdministeredData,
  mergeAdministeredProfile,
} from '../domain/account/administered-fields.ts'
import { firstPassword } from '../domain/credentials/first-password.ts'
import { hashPassword } from '../domain/credentials/passwords.ts'
import { deleteUser } from '../domain/organizations/deletions.ts'
import { signInExperience } from '../domain/sign-in/experience.ts'
import { declarePasswordExpired } from '../domain/sign-in/password-expiration.ts'
import { isPasswordOf, setPassword, setSuspended } from '../domain/users/access.ts'
import { getUser, type UserRow } from '../domain/users/rows.ts'
import { listUsers } from '../domain/users/search.ts'
import { ssoIdentitiesOf, ssoIdentityEntity } from '../domain/users/sso-identities.ts'
import { bind } from '../http/api.ts'
import { ApiError } from '../kernel/api-error.ts'
import { clientMembers } from '../kernel/document-ids.ts'
import { mapPage } from '../storage/page.ts'
import { toRole } from './role-shape.ts'

/** A user without anything of the password but that there is one. */
export const toUser = (row: UserRow): Static<typeof User> => ({
  tenantId: row.tenant_id,
  id: row.id,
  username: row.username,
  primaryEmail: row.primary_email,
  primaryPhone: row.primary_phone,
  name: row.name,
  avatar: row.avatar,
  customData: row.custom_data,
  identities: row.identities as Static<typeof User>['identities'],
  profile: row.profile,
  ...clientMembers(row.application_id),
  isSuspended: row.is_suspended,
  hasPassword: row.password_hash !== null,
  lastSignInAt: row.last_sign_in_at?.getTime() ?? null,
  createdAt: row.created_at.getTime(),
  updatedAt: row.updated_at.getTime(),
})

export const userHandlers = bind(userRoutes, {
  async listUsers({ query }, { store, tenant, page }) {
    return mapPage(await listUsers(store, tenant, page, query), toUser)
  },
  async createUser({ body }, { store, tenant, perform }) {
    const experience = await signInExperience(store, tenant)
    return toUser(await perform(createAdministeredUser, experience, body, await firstPassword(body)))
  },
  async getUser({ params, query }, { store, tenant }) {
    const user = await getUser(store, tenant, params.userId)
    if (query.includeSsoIdentities !== 'true') return toUser(user)
    const rows = await ssoIdentitiesOf(store.database.kysely, tenant.id, user.id)
    return { ...toUser(user), ssoIdentities: rows.map(ssoIdentityEntity) }
  },
  async updateUser({ params, body }, { store, tenant, perform }) {
    const experience = await signInExperience(store, tenant)
    return toUser(await perform(changeAdministeredUser, params.userId, experience, body))
  },
  async deleteUser({ params }, { perform }) {
    await perform(deleteUser, params.userId)
  },
  async getUserCustomData({ params }, { store, tenant }) {
    return (await getUser(store, tenant, params.userId)).custom_data
  },
  async updateUserCustomData({ params, body }, { store, tenant, perform }) {
    const experience = await signInExperience(store, tenant)
    return (await perform(mergeAdministeredData, params.userId, experience, body.customData)).custom_data
  },
  async updateUserProfile({ params, body }, { store, tenant, perform }) {
    const experience = await signInExperience(store, tenant)
    return (await perform(mergeAdministeredProfile, params.userId, experience, body.profile)).profile
  },
  async updateUserPassword({ params, body }, { store, tenant, perform }) {
    // nothing is hashed for a user who does not exist
    await getUser(store, tenant, params.userId)
    return toUser(await perform(setPassword, params.userId, await hashPassword(body.password)))
  },
  async expireUserPassword({ params, body }, { store, tenant, perform }) {
    const experience = await signInExperience(store, tenant)
    return toUser(await perform(declarePasswordExpired, params.userId, experience, body.isExpired))
  },
  async verifyUserPassword({ params, body }, call) {
    if (!(await isPasswordOf(call, params.userId, body.password))) throw new ApiError('session.invalid_credentials')
  },
  async hasUserPassword({ params }, { store, tenant }) {
    return { hasPassword: (await getUser(store, tenant, params.userId)).password_hash !== null }
  },
  async suspendUser({ params, body }, { perform }) {
    return toUser(await perform(setSuspended, params.userId, body.isSuspended))
  },
  async listUserRoles({ params, query }, { store, tenant, page }) {
    const roles = await listUserRoles(store, tenant, params.userId, { ...page, search: query.search })
    return mapPage(roles, toRole)
  },
  async addUserRoles({ params, body }, { perform }) {
    const addedRoleIds = await perform(addUserRoles, params.userId, body.roleIds)
    return { roleIds: body.roleIds, addedRoleIds }
  },
  async replaceUserRoles({ params, body }, { perform }) {
    await perform(replaceUserRoles, params.userId, body.roleIds)
    return { roleIds: body.roleIds }
  },
  async removeUserRole({ params }, { perform }) {
    await perform(removeUserRole, params.userId, params.roleId)
  },
})
