/** `/user-exports`: the users of a tenant as lines, batch after batch. */
import { ALL_PERMISSION } from '@countersign/contract/permissions.ts'
import { userExportRoutes } from '@countersign/contract/user-exports.ts'
import { holds } from '../domain/permissions/management-access.ts'
import { exportedBatch, usersExported } from '../domain/users/export.ts'
import { cursorOf, requestOfCursor } from '../domain/users/export-cursor.ts'
import { bind } from '../http/api.ts'
import { ApiError } from '../kernel/api-error.ts'

export const userExportHandlers = bind(userExportRoutes, {
  async exportUsers({ body }, { store, tenant, caller, perform }) {
    const { cursor, withPasswordHashes = false, ...search } = body
    const holder = { vault: store.vault, tenant, caller }
    const request = cursor === undefined ? { search, withPasswordHashes, after: '' } : requestOfCursor(holder, cursor)
    if (request.withPasswordHashes && !holds(caller, ALL_PERMISSION))
      throw new ApiError('auth.forbidden', { permission: ALL_PERMISSION })
    if (cursor === undefined) {
      if (caller.needsSignIn) throw new ApiError('auth.step_up_required', caller.needsSignIn)
      await perform(usersExported, withPasswordHashes, search)
    }
    const { users, after } = await exportedBatch(store, tenant, request)
    return {
      lines: users.map((user) => JSON.stringify(user)),
      cursor: after === undefined ? null : cursorOf(holder, { ...request, after }),
    }
  },
})
