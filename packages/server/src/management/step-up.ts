/**
 * Which routes an administrator may call only soon after a sign-in (RFC 9470, DECISIONS U3). What depends on the request, such as
 * the permissions that a role would get, is up to `domain/permissions/management-access.ts`. Machines never sign in, so none of it
 * applies to machines.
 */
import type { ApiRoutes } from '@countersign/contract/api.ts'
import type { Route } from '@countersign/contract/route.ts'
import { toNumericDate } from '../kernel/clock.ts'

/** Seconds since the sign-in. */
export const STEP_UP_SECONDS = 600

/** By id: those that show or make secrets and credentials, replace keys, choose administrators, or delete what cannot be restored. */
const NEEDING: ReadonlySet<string> = new Set<keyof ApiRoutes>([
  'putAdministrator',
  'deleteAdministrator',
  'createAdministratorRole',
  'updateAdministratorRole',
  'deleteAdministratorRole',
  'listApplicationSecrets',
  'createApplicationSecret',
  'deleteApplicationSecret',
  'createSamlApplicationSecret',
  'updateSamlApplicationSecret',
  'deleteSamlApplicationSecret',
  'createScimToken',
  'createPersonalAccessToken',
  'createSubjectToken',
  'createImpersonation',
  'createOneTimeToken',
  'updateUserPassword',
  'createUserFactor',
  'deleteUserFactor',
  'rotateSigningKeys',
  'deleteSigningKey',
  'applyTenant',
  'rotateHookSigningKey',
  'createSsoSigningKey',
  'updateSsoSigningKey',
  'deleteSsoSigningKey',
  'deleteApplication',
  'deleteSamlApplication',
  'deleteResource',
  'deleteRole',
  'deleteOrganization',
  'deleteConnector',
  'deleteSsoConnector',
  'deleteScimDirectory',
  'deleteUser',
])

/** Whether an administrator may call it only soon after a sign-in, whatever the request says. */
export const needsRecentSignIn = ({ id }: Pick<Route, 'id'>): boolean => NEEDING.has(id)

/** Whether the sign-in was recent. @param authTime numeric date; undefined: not known */
export const isRecent = (authTime: number | undefined, now: Date): boolean =>
  authTime !== undefined && toNumericDate(now) - authTime <= STEP_UP_SECONDS
