/** `/my-account`: what users see of their own account, and change in it. */
import { accountRoutes } from '@countersign/contract/account.ts'
import { deleteOwnAccount } from '../domain/account/deletion.ts'
import { changeOwnFields, changeOwnProfile } from '../domain/account/own-fields.ts'
import type { AccountCenterSettings } from '../domain/sign-in/account-center.ts'
import { getUser, type UserRow } from '../domain/users/rows.ts'
import { ssoIdentitiesOf } from '../domain/users/sso-identities.ts'
import { bind, type Call } from '../http/api.ts'
import { toAccount } from './account-shape.ts'
import { holderOf, type KnownHolder } from './authorize.ts'
import { rulesOf } from './rules.ts'

const shown = async (
  { store, tenant }: Pick<Call, 'store' | 'tenant'>,
  row: UserRow,
  holder: KnownHolder,
  center: AccountCenterSettings,
) => toAccount(row, holder, center, await ssoIdentitiesOf(store.database.kysely, tenant.id, row.id))

export const accountHandlers = bind(accountRoutes, {
  async getMyAccount(_input, call) {
    const holder = holderOf(call)
    const { center } = await rulesOf(call)
    return shown(call, await getUser(call.store, call.tenant, holder.userId), holder, center)
  },
  async updateMyAccount({ body }, call) {
    const holder = holderOf(call)
    const rules = await rulesOf(call)
    return shown(call, await changeOwnFields(call, holder, rules, body), holder, rules.center)
  },
  async deleteMyAccount(_input, call) {
    const due = await deleteOwnAccount(call, holderOf(call), await rulesOf(call))
    return { deletionAt: due?.getTime() ?? null }
  },
  async updateMyProfile({ body }, call) {
    const holder = holderOf(call)
    const rules = await rulesOf(call)
    const row = await call.perform(changeOwnProfile, holder, rules, body)
    return toAccount(row, holder, rules.center, []).profile ?? {}
  },
})
