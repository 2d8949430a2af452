/**
 * Our keys towards the SAML identity provider of an organization, in the hands of its members (DECISIONS P22): it learns them from the
 * metadata of the connector.
 */
import { ApiError } from '../../kernel/api-error.ts'
import type { CertifiedKey } from '../../kernel/certificates.ts'
import { operation, perform, type Unit, type Work } from '../../storage/unit-of-work.ts'
import {
  activateSigningKey,
  createSigningKey,
  deleteSigningKey,
  listSigningKeys,
  newSigningKey,
  type SigningKey,
  signingKeyCount,
} from '../federation/saml/signing-keys.ts'
import { assertEditable } from './field-policy.ts'
import type { AccountHolder } from './holder.ts'
import { beginManaging, connectorManaged, type ManagedConnector, managed } from './organization-sso.ts'
import type { AccountRules } from './own-fields.ts'

/** Of one connector. */
const MOST_KEYS = 10

interface ManagedKey extends ManagedConnector {
  readonly keyId: string
}

/** The newest first. Throws as connectorManaged. */
export const keysManaged = async (
  work: Work,
  holder: AccountHolder,
  rules: AccountRules,
  of: ManagedConnector,
): Promise<SigningKey[]> => {
  const { id } = await connectorManaged(work, holder, rules, of)
  return listSigningKeys(work.store, work.tenant, id)
}

const begin = async (unit: Unit, holder: AccountHolder, rules: AccountRules, of: ManagedConnector): Promise<void> => {
  await beginManaging(unit, holder, rules, of.organizationId)
  await managed(unit, of)
  unit.concerns('organization', of.organizationId)
}

const created = operation(
  [],
  async (
    unit,
    holder: AccountHolder,
    rules: AccountRules,
    of: ManagedConnector,
    isActive: boolean,
    key: CertifiedKey,
  ) => {
    await begin(unit, holder, rules, of)
    const row = await createSigningKey.run(unit, of.connectorId, isActive, key)
    if ((await signingKeyCount(unit, of.connectorId)) > MOST_KEYS)
      throw new ApiError('single_sign_on.reach_limit', { limit: MOST_KEYS })
    return row
  },
)

/** Makes a key. Throws as beginManaging and createSigningKey, 422 `single_sign_on.reach_limit` beyond ten. */
export const createManagedKey = async (
  work: Work,
  holder: AccountHolder,
  rules: AccountRules,
  of: ManagedConnector,
  isActive: boolean,
): Promise<SigningKey> => {
  assertEditable(rules.center, 'organizationSso')
  const { id } = await connectorManaged(work, holder, rules, of)
  return perform(work, created, holder, rules, of, isActive, await newSigningKey(work.store, id))
}

/** Throws as beginManaging and activateSigningKey. */
export const activateManagedKey = operation(
  [],
  async (
    unit,
    holder: AccountHolder,
    rules: AccountRules,
    { keyId, ...of }: ManagedKey,
    isActive: boolean,
  ): Promise<SigningKey> => {
    await begin(unit, holder, rules, of)
    return activateSigningKey.run(unit, of.connectorId, keyId, isActive)
  },
)

/** Throws as beginManaging and deleteSigningKey. */
export const deleteManagedKey = operation(
  [],
  async (unit, holder: AccountHolder, rules: AccountRules, { keyId, ...of }: ManagedKey): Promise<void> => {
    await begin(unit, holder, rules, of)
    await deleteSigningKey.run(unit, of.connectorId, keyId)
  },
)
