/** The initial password of a new user, as the creator gives it: in plain text, or hashed by another system. */
import type { UserCreate } from '@countersign/contract/users.ts'
import type { Static } from 'typebox'
import { ApiError } from '../../kernel/api-error.ts'
import { assertImportable } from './imported-passwords.ts'
import { hashPassword, type StoredPassword } from './passwords.ts'

type Given = Pick<Static<typeof UserCreate>, 'password' | 'passwordDigest' | 'passwordAlgorithm'>

/**
 * The value to store; undefined when no password is given. Hashes before anything is locked; does not check the policy.
 * Throws 400 for both at once or an invalid digest, 503 when too many passwords are being hashed.
 */
export const firstPassword = async (given: Given): Promise<StoredPassword | undefined> => {
  const { password, passwordDigest, passwordAlgorithm } = given
  if (password !== undefined && passwordDigest !== undefined) throw new ApiError('user.password_and_digest')
  if (password !== undefined) return hashPassword(password)
  if (passwordDigest === undefined) return undefined
  if (passwordAlgorithm === undefined) throw new ApiError('user.password_algorithm_required')
  await assertImportable(passwordAlgorithm, passwordDigest)
  return { hash: passwordDigest, algorithm: passwordAlgorithm }
}
