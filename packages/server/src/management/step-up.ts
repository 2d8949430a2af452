/** Which routes an administrator may call only soon after a sign-in (RFC 9470, DECISIONS U3). Machines never sign in, so none of them applies to machines. */
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
  'createOneTimeToken',
  'updateUserPassword',
  'createUserFactor',
  'deleteUserFactor',
  'rotateSigningKeys',
  'deleteSigningKey',
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

/** Whether an administrator who signed in then may call the route now. @param authTime numeric date; undefined: not known */
export const isFreshEnough = ({ id }: Pick<Route, 'id'>, authTime: number | undefined, now: Date): boolean =>
  !NEEDING.has(id) || (authTime !== undefined && toNumericDate(now) - authTime <= STEP_UP_SECONDS)
