/** Users' fields in the hands of administrators, whom the tenant's profile fields bind as they bind users (DECISIONS T13). */
import type { UserCreate, UserUpdate } from '@countersign/contract/users.ts'
import type { Static } from 'typebox'
import { operation } from '../../storage/unit-of-work.ts'
import type { StoredPassword } from '../credentials/passwords.ts'
import type { SignInExperience } from '../sign-in/experience.ts'
import { lockUser, type UserRow } from '../users/rows.ts'
import { createUser, mergeUserCustomData, mergeUserProfile, updateUser } from '../users/users.ts'
import { byProfileFields } from './profile-rules.ts'

/** Creates a user. Required fields without a value are not asked for. Throws 400 and 422 as byProfileFields and createUser. */
export const createAdministeredUser = operation(
  ['User.Created'],
  async (
    unit,
    experience: SignInExperience,
    fields: Static<typeof UserCreate>,
    password: StoredPassword | undefined,
  ): Promise<UserRow> => createUser.run(unit, byProfileFields(experience, undefined, fields, false), password),
)

/** Changes a user; profile and custom data are replaced. Throws 400, 404 and 422 as byProfileFields and updateUser. */
export const changeAdministeredUser = operation(
  ['User.Data.Updated'],
  async (unit, id: string, experience: SignInExperience, change: Static<typeof UserUpdate>): Promise<UserRow> => {
    const before = await lockUser(unit, id)
    return updateUser.run(unit, id, byProfileFields(experience, before, change, false))
  },
)

/** Merges into the custom data at the top level. Throws 400 as byProfileFields, 404. */
export const mergeAdministeredData = operation(
  ['User.Data.Updated'],
  async (unit, id: string, experience: SignInExperience, customData: Record<string, unknown>): Promise<UserRow> => {
    const before = await lockUser(unit, id)
    return mergeUserCustomData.run(unit, id, byProfileFields(experience, before, { customData }, true).customData)
  },
)

/** Merges into the profile at the top level: an address replaces the address. Throws 400 as byProfileFields, 404. */
export const mergeAdministeredProfile = operation(
  ['User.Data.Updated'],
  async (unit, id: string, experience: SignInExperience, profile: Record<string, unknown>): Promise<UserRow> => {
    const before = await lockUser(unit, id)
    return mergeUserProfile.run(unit, id, byProfileFields(experience, before, { profile }, true).profile)
  },
)
