/** What a user decided about second factors, or an administrator for them (`/users/:id/logto-configs`). */

import { inTenant } from '../../storage/in-tenant.ts'
import type { Unit } from '../../storage/unit-of-work.ts'
import type { UserRow } from '../users/rows.ts'

export interface FactorChoices {
  /** false: they are not asked, where the policy leaves it to them; undefined: they were never asked to decide. */
  readonly enabled?: boolean
  /** That they do not want a factor yet. */
  readonly skipped?: boolean
  /** That they do not want another one beside codes by mail or message. */
  readonly additionalBindingSuggestionSkipped?: boolean
  /** They keep their factors and are not asked at sign-in, where the policy leaves it to them. */
  readonly skipMfaOnSignIn?: boolean
  /** That they do not want a passkey to sign in with. */
  readonly passkeySkipped?: boolean
}

export const choicesOf = ({ factor_choices }: Pick<UserRow, 'factor_choices'>): FactorChoices => factor_choices

/** Changes some of them. The user is locked by the caller. */
export const setChoices = async (
  { tx, tenant, send }: Unit,
  user: Pick<UserRow, 'id' | 'factor_choices'>,
  change: FactorChoices,
): Promise<FactorChoices> => {
  const choices = { ...choicesOf(user), ...change }
  send(
    tx
      .updateTable('users')
      .set({ factor_choices: JSON.stringify(choices) })
      .where(inTenant(tenant.id))
      .where('id', '=', user.id)
      .execute(),
  )
  return choices
}
