/** Maps errors of PostgreSQL to the API catalogue: constraint or condition → code, in one place. */
import type { ApiErrorCode } from '@countersign/contract/errors.ts'
import { ApiError } from '../kernel/api-error.ts'

const BY_CONSTRAINT: Readonly<Record<string, ApiErrorCode>> = {
  resources_indicator_key: 'resource.resource_identifier_in_use',
  authorization_details_types_type_key: 'authorization_details.type_exists',
  scopes_name_key: 'scope.name_exists',
  roles_name_key: 'role.name_in_use',
  roles_default_check: 'role.default_role_type',
  roles_scopes_management_check: 'role.management_api_scopes_not_assignable_to_user_role',
  organization_roles_resource_scopes_management_check: 'role.management_api_scopes_not_assignable_to_user_role',
  administrator_roles_name_key: 'administrator_role.name_in_use',
  application_secrets_pkey: 'application.secret_name_exists',
  users_username_key: 'user.username_already_in_use',
  users_username_exact_key: 'user.username_already_in_use',
  users_email_key: 'user.email_already_in_use',
  users_phone_key: 'user.phone_already_in_use',
  user_identities_pkey: 'user.identity_already_in_use',
  user_identities_one_per_target: 'user.social_account_exists_in_profile',
  sso_connectors_name_key: 'single_sign_on.duplicate_connector_name',
  organization_domains_owner_key: 'single_sign_on.domain_in_use',
  custom_profile_fields_name_key: 'custom_profile_fields.name_exists',
}

const BY_SQLSTATE: Readonly<Record<string, ApiErrorCode>> = {
  '23503': 'entity.relation_foreign_key_not_found',
  '23505': 'entity.unique_integrity_violation',
  '23514': 'entity.db_constraint_violated',
}

interface PostgresError extends Error {
  readonly code: string
  readonly constraint?: string
}

/** Whether PostgreSQL has answered with an error, and not the driver. */
export const isPostgresError = (error: unknown): error is PostgresError =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code)

/** A plan of a prepared statement that is no longer valid: a migration has added a column to its result. */
export const isOutdatedPlan = (error: unknown): boolean =>
  isPostgresError(error) && error.code === '0A000' && error.message.startsWith('cached plan ')

/** A deadlock, a serialization failure or an outdated plan: the same operation may succeed when it is retried. */
export const isRetryable = (error: unknown): boolean =>
  isPostgresError(error) && (['40P01', '40001'].includes(error.code) || isOutdatedPlan(error))

/**
 * Whether no further statement can be sent on the connection after this error: PostgreSQL has announced that it closes
 * it, or the error is the driver's own. The driver reports the end of the connection itself a moment later.
 */
export const endsConnection = (error: unknown): boolean =>
  !isPostgresError(error) || /^(57P0\d|08...|EPIPE)$/.test(error.code)

/** A statement that was not executed, because an earlier one in its transaction had failed. */
export const isOfFailedTransaction = (error: unknown): boolean => isPostgresError(error) && error.code === '25P02'

/** The ApiError for a violated constraint; any other error unchanged. */
export const asApiError = (error: unknown): unknown => {
  if (!isPostgresError(error)) return error
  const code = BY_CONSTRAINT[error.constraint ?? ''] ?? BY_SQLSTATE[error.code]
  return code ? new ApiError(code, undefined, { cause: error }) : error
}
