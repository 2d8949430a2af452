/** How far an export through the Management API is: sealed, so that it goes on only as it was begun and recorded, by the same caller. */
import { ApiError } from '../../kernel/api-error.ts'
import type { Caller } from '../../kernel/caller.ts'
import type { Vault } from '../../kernel/secrets.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { ExportRequest } from './export.ts'

interface Holder {
  readonly vault: Vault
  readonly tenant: Tenant
  readonly caller: Caller
}

const purposeOf = ({ tenant, caller: { actor } }: Holder): string =>
  `user-export/${tenant.id}/${actor.type}/${actor.id ?? ''}`

/** For the next request of the caller. */
export const cursorOf = (holder: Holder, request: ExportRequest): string =>
  holder.vault.seal(JSON.stringify(request), purposeOf(holder)).toString('base64url')

/** What comes next. Throws 400 for a cursor that this server did not give this caller. */
export const requestOfCursor = (holder: Holder, cursor: string): ExportRequest => {
  try {
    return JSON.parse(holder.vault.unseal(Buffer.from(cursor, 'base64url'), purposeOf(holder))) as ExportRequest
  } catch (error) {
    const reason = 'cursor is not one that was answered to this caller'
    throw new ApiError('request.invalid_input', { reason }, { cause: error })
  }
}
