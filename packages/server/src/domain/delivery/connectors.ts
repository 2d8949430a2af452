/**
 * Connectors: those that carry messages, one of each type per tenant, and providers at which users sign in, one of
 * each target. Their configuration is sealed.
 */
import { isDeepStrictEqual } from 'node:util'
import type { ConnectorConfig } from '@countersign/contract/connector-configs.ts'
import type { ConnectorCreate, ConnectorUpdate } from '@countersign/contract/connectors.ts'
import type { SocialConfig, SocialKind } from '@countersign/contract/social-connector-configs.ts'
import type { Selectable } from 'kysely'
import type { Static } from 'typebox'
import { ApiError, notFound } from '../../kernel/api-error.ts'
import { newId } from '../../kernel/ids.ts'
import type { Vault } from '../../kernel/secrets.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { Withheld } from '../../storage/audit-entities.ts'
import type { Db } from '../../storage/database.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import type { Tables } from '../../storage/tables.ts'
import { operation, Refusal, type Unit } from '../../storage/unit-of-work.ts'
import type { Identifier } from '../credentials/identifiers.ts'
import { providerOf } from '../federation/connection.ts'
import type { Provider } from '../federation/provider.ts'
import { deleteTokenSetsOf } from '../federation/token-sets.ts'
import { type Carrier, soundConfig } from './connector-configs.ts'
import { type ConnectorFactory, connectorFactory } from './connector-factories.ts'
import { countSend, isSendLeft, recipientHash, SENDS_WITHIN_SECONDS } from './message-limit.ts'

type Row = Selectable<Tables['connectors']>

export interface Connector {
  readonly tenantId: string
  readonly id: string
  readonly factory: ConnectorFactory
  /** The name under which identities of users are stored, for a social connector. */
  readonly target: string
  /** Whether name and picture are updated at every sign-in. */
  readonly syncProfile: boolean
  /** Whether the tokens that the provider issues are kept. */
  readonly enableTokenStorage: boolean
  readonly config: ConnectorConfig
  readonly metadata: Readonly<Record<string, unknown>>
}

const carrierIn = ({ factory, config }: Connector): Carrier => ({ kind: factory.id, config }) as Carrier

/** Whatever is built from the connectors of a tenant. */
export const CONNECTORS_TAG = 'connectors'
const purpose = (tenantId: string, id: string) => `connector/${tenantId}/${id}`

const fromRow = (vault: Vault, row: Row): Connector => {
  const { tenant_id, id, connector_id, sealed_config, metadata, target } = row
  const factory = connectorFactory(connector_id)
  if (!factory) throw new Error(`Connector ${id} is of the kind ${connector_id}, which this version does not know`)
  const config = JSON.parse(vault.unseal(sealed_config, purpose(tenant_id, id))) as ConnectorConfig
  return {
    tenantId: tenant_id,
    id,
    factory,
    target: target ?? factory.target,
    syncProfile: row.sync_profile,
    enableTokenStorage: row.enable_token_storage,
    config,
    metadata,
  }
}

const readConnectors = async (db: Db, vault: Vault, tenantId: string): Promise<Connector[]> => {
  const rows = await db
    .selectFrom('connectors')
    .selectAll()
    .where(inTenant(tenantId))
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => fromRow(vault, row))
}

/** The connectors of a tenant. */
export const listConnectors = async (
  { database, vault }: Store,
  { id: tenantId }: Tenant,
  target?: string,
): Promise<Connector[]> => {
  const connectors = await readConnectors(database.kysely, vault, tenantId)
  return connectors.filter((each) => target === undefined || each.target === target)
}

/** The same within an operation. */
export const listConnectorsOf = ({ tx, vault, tenant }: Unit): Promise<Connector[]> =>
  readConnectors(tx, vault, tenant.id)

/** Throws 404. */
export const getConnector = async (store: Store, { id: tenantId }: Tenant, id: string): Promise<Connector> => {
  const row = await store.database.kysely
    .selectFrom('connectors')
    .selectAll()
    .where(inTenant(tenantId))
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('connector', id)
  return fromRow(store.vault, row)
}

/** The target of a new social connector. Throws 400 if a standard lacks one, 422 if another connector has it. */
const freeTarget = async (
  { tx, tenant }: Unit,
  factory: ConnectorFactory,
  metadata: Static<typeof ConnectorCreate>['metadata'],
): Promise<string> => {
  const target = factory.isStandard ? metadata?.target : factory.target
  if (!target) throw new ApiError('connector.should_specify_target')
  const taken = await tx
    .selectFrom('connectors')
    .select('id')
    .where(inTenant(tenant.id))
    .where('target', '=', target)
    .executeTakeFirst()
  if (taken) throw new ApiError('connector.multiple_target_with_same_platform', { target })
  return target
}

/** Throws 422 for `syncProfile` and `enableTokenStorage` of a connector without profiles and tokens. */
const assertPossible = (
  { type }: ConnectorFactory,
  { syncProfile, enableTokenStorage }: Pick<Static<typeof ConnectorUpdate>, 'syncProfile' | 'enableTokenStorage'>,
): void => {
  if (type === 'Social') return
  if (syncProfile) throw new ApiError('connector.invalid_type_for_syncing_profile')
  if (enableTokenStorage) throw new ApiError('connector.token_storage_not_supported')
}

/**
 * Sets up a connector; one that carries messages replaces an existing one of the same type. Throws 422 for an unknown kind or a
 * target that another connector has, 400.
 */
export const createConnector = operation(
  [],
  async (unit, input: Static<typeof ConnectorCreate>): Promise<Connector> => {
    const { tx, tenant, now, vault, changed } = unit
    const factory = connectorFactory(input.connectorId)
    if (!factory) throw new ApiError('connector.not_found_with_connector_id', { id: input.connectorId })
    assertPossible(factory, input)
    // concurrent calls take turns, so that the second replaces the first
    await tx.selectFrom('tenants').select('id').where('id', '=', tenant.id).forNoKeyUpdate().execute()
    const isSocial = factory.type === 'Social'
    const target = isSocial ? await freeTarget(unit, factory, input.metadata) : null
    if (!isSocial)
      await tx.deleteFrom('connectors').where(inTenant(tenant.id)).where('type', '=', factory.type).execute()
    const id = newId()
    const config = soundConfig(factory.id, input.config)
    const row = await tx
      .insertInto('connectors')
      .values({
        tenant_id: tenant.id,
        id,
        type: factory.type,
        connector_id: factory.id,
        target,
        sync_profile: input.syncProfile ?? false,
        enable_token_storage: input.enableTokenStorage ?? false,
        sealed_config: vault.seal(JSON.stringify(config), purpose(tenant.id, id)),
        metadata: JSON.stringify(input.metadata ?? {}),
        created_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    unit.concerns('connector', id, { after: { name: factory.id } })
    changed(CONNECTORS_TAG)
    return fromRow(vault, row)
  },
)

/** Whether a connector leads to another provider now: a refresh token is for the one that issued it. */
const isMoved = (before: Connector, after: Connector): boolean => {
  if (before.factory.type !== 'Social') return false
  const [former, present] = [before, after].map((each) => providerOfConnector(each).provider.at)
  return !isDeepStrictEqual(former, present)
}

/** Replaces the configuration, the metadata, `syncProfile` or `enableTokenStorage`. Throws 404, 400, 422. */
export const updateConnector = operation(
  [],
  async (unit, id: string, change: Static<typeof ConnectorUpdate>): Promise<Connector> => {
    const { tx, tenant, vault, changed } = unit
    const before = await tx
      .selectFrom('connectors')
      .selectAll()
      .where(inTenant(tenant.id))
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!before) throw notFound('connector', id)
    const { metadata } = change
    const present = fromRow(vault, before)
    assertPossible(present.factory, change)
    if (metadata?.target !== undefined && before.target !== null && metadata.target !== before.target)
      throw new ApiError('connector.can_not_modify_target')
    const config = change.config && soundConfig(present.factory.id, change.config)
    const row = await tx
      .updateTable('connectors')
      .set({
        sealed_config: config ? vault.seal(JSON.stringify(config), purpose(tenant.id, id)) : before.sealed_config,
        metadata: JSON.stringify(metadata ?? before.metadata),
        sync_profile: change.syncProfile ?? before.sync_profile,
        enable_token_storage: change.enableTokenStorage ?? before.enable_token_storage,
      })
      .where(inTenant(tenant.id))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    const fieldsOf = ({ config, metadata, syncProfile, enableTokenStorage }: Connector) => ({
      config: new Withheld(config),
      metadata,
      syncProfile,
      enableTokenStorage,
    })
    const connector = fromRow(vault, row)
    if (isMoved(present, connector) || !connector.enableTokenStorage) await deleteTokenSetsOf(unit, 'connector_id', id)
    unit.concerns('connector', id, { before: fieldsOf(present), after: fieldsOf(connector) })
    changed(CONNECTORS_TAG)
    return connector
  },
)

/** Deletes a connector: messages waiting for it are no longer sent, and users keep their identities. Throws 404. */
export const deleteConnector = operation([], async ({ tx, tenant, changed }, id: string): Promise<void> => {
  const deleted = await tx
    .deleteFrom('connectors')
    .where(inTenant(tenant.id))
    .where('id', '=', id)
    .returning('id')
    .execute()
  if (deleted.length === 0) throw notFound('connector', id)
  changed(CONNECTORS_TAG)
})

/** Why a message was not accepted: a kind and its sentence, without anything that the mail server said. */
export interface TestFailure extends Error {
  readonly kind: string
}

/**
 * Throws 429 `request.message_rate_limited` when the recipient may not be sent another message now (DECISIONS
 * L3), and as keepIdentifier. concludeConnectorTest counts the message.
 */
export const assertTestLeft = async (store: Store, tenant: Tenant, recipient: Identifier): Promise<void> => {
  const isLeft = await isSendLeft(store.database.kysely, tenant, store.clock.now(), recipientHash(recipient))
  if (!isLeft) throw new ApiError('request.message_rate_limited', { retryAfter: SENDS_WITHIN_SECONDS })
}

/**
 * Records in the audit log that a message was sent to test a configuration, and the result, and counts the message.
 * Throws 400 `connector.general` with the failure, if there was one.
 */
export const concludeConnectorTest = operation(
  [],
  async (unit, connectorId: string, recipient: Identifier, failure: TestFailure | undefined): Promise<void> => {
    const { note } = unit
    note({ connectorId })
    await countSend(unit, recipientHash(recipient))
    if (!failure) return
    const { kind, message } = failure
    note({ error: message, kind })
    throw new Refusal(new ApiError('connector.general', { reason: message, kind }, { cause: failure }))
  },
)

/** The connector for messages of a type, from the cache; undefined if the tenant has none. */
export const carrierOf = (
  store: Store,
  { id: tenantId }: Tenant,
  type: 'Email' | 'Sms',
): Promise<Carrier | undefined> =>
  store.cache.get(tenantId, `${type}-connector`, async () => {
    const row = await store.database.configuration
      .selectFrom('connectors')
      .selectAll()
      .where(inTenant(tenantId))
      .where('type', '=', type)
      .executeTakeFirst()
    return { value: row && carrierIn(fromRow(store.vault, row)), tags: [CONNECTORS_TAG] }
  })

/** Whether the tenant can send mail; from the cache. Does not check whether the mail server accepts it. */
export const hasMailConnector = async (store: Store, tenant: Tenant): Promise<boolean> =>
  (await carrierOf(store, tenant, 'Email')) !== undefined

/** How Google One Tap is shown. */
interface OneTap {
  readonly autoSelect?: boolean
  readonly closeOnTapOutside?: boolean
  readonly itpSupport?: boolean
}

/** A social connector as a sign-in sees it. */
export interface SocialProvider {
  readonly id: string
  readonly target: string
  readonly syncProfile: boolean
  readonly enableTokenStorage: boolean
  /** Of Google, where it is switched on. */
  readonly oneTap?: OneTap
  readonly provider: Provider
}

/** The provider that a connector leads to. Throws 400 `connector.unexpected_type` for one that carries messages. */
export const providerOfConnector = (connector: Connector): SocialProvider => {
  const { id, factory, target, syncProfile, enableTokenStorage, config } = connector
  if (factory.type !== 'Social') throw new ApiError('connector.unexpected_type')
  const provider = providerOf(factory.id as SocialKind, config as SocialConfig)
  const oneTap = 'oneTap' in config && config.oneTap?.isEnabled === true ? config.oneTap : undefined
  return { id, target, syncProfile, enableTokenStorage, provider, ...(oneTap ? { oneTap } : {}) }
}

/** The social connector with this id, from the cache; undefined: there is none. */
export const socialProvider = (
  store: Store,
  { id: tenantId }: Tenant,
  id: string,
): Promise<SocialProvider | undefined> =>
  store.cache.get(tenantId, `social-connector/${id}`, async () => {
    const row = await store.database.configuration
      .selectFrom('connectors')
      .selectAll()
      .where(inTenant(tenantId))
      .where('id', '=', id)
      .where('type', '=', 'Social')
      .executeTakeFirst()
    return { value: row && providerOfConnector(fromRow(store.vault, row)), tags: [CONNECTORS_TAG] }
  })
