/** The writable fields of a user: what is valid, and which columns store it. */
import type { UserUpdate } from '@countersign/contract/users.ts'
import type { Updateable } from 'kysely'
import type { Static } from 'typebox'
import { ApiError } from '../../kernel/api-error.ts'
import type { Tables } from '../../storage/tables.ts'
import { type Identifier, keepIdentifier } from '../credentials/identifiers.ts'

export type UserFields = Pick<
  Static<typeof UserUpdate>,
  'username' | 'primaryEmail' | 'primaryPhone' | 'name' | 'avatar' | 'customData' | 'profile'
>
export type UserColumns = Updateable<Tables['users']>

const kept = (type: Identifier['type'], value: string | null | undefined) =>
  value ? keepIdentifier({ type, value }) : { value: null, key: null }

/** An avatar is shown in pages: only http and https (SECURITY R-23). */
const assertAvatar = (address: string | null): void => {
  if (address === null) return
  const url = URL.parse(address)
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '') {
    throw new ApiError('guard.invalid_input', {
      reason: 'avatar must be an http or https address',
      issues: [{ path: '/avatar', reason: 'must be an http or https address', code: 'url' }],
    })
  }
}

/**
 * The columns of the given fields; null and the empty string both remove. Throws 400 for invalid ones, 422 for phone
 * numbers.
 */
export const columnsOf = (fields: UserFields): UserColumns => {
  const { username, primaryEmail, primaryPhone, name, avatar, customData, profile } = fields
  const columns: UserColumns = {}
  if (username !== undefined) {
    const { value, key } = kept('username', username)
    Object.assign(columns, { username: value, username_key: key })
  }
  if (primaryEmail !== undefined) {
    const { value, key } = kept('email', primaryEmail)
    Object.assign(columns, { primary_email: value, email_key: key })
  }
  if (primaryPhone !== undefined) columns.primary_phone = kept('phone', primaryPhone).value
  if (name !== undefined) columns.name = name || null
  if (avatar !== undefined) {
    columns.avatar = avatar || null
    assertAvatar(columns.avatar)
  }
  if (customData !== undefined) columns.custom_data = JSON.stringify(customData)
  if (profile !== undefined) columns.profile = JSON.stringify(profile)
  return columns
}
