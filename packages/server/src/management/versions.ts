/** What the Management API needs to compare versions (RFC 9110 section 13.1.1): the row behind each path, and who changed it last. */
import { API_ROUTES } from '@countersign/contract/api.ts'
import type { Route } from '@countersign/contract/route.ts'
import { lastChange } from '../domain/tenants/last-change.ts'
import type { BoundRoute, Versioned } from '../http/api.ts'
import { namedEntities } from '../http/named-entities.ts'
import { ApiError } from '../kernel/api-error.ts'
import { lockRow, type RowPlace } from '../storage/locked-row.ts'
import { storeWithin } from '../storage/store-within.ts'

const byId = (table: RowPlace['table']): RowPlace => ({ table, column: 'id' })
const APPLICATION = byId('applications')

/** By path: the row that everything which changes the thing locks or writes. */
const ROWS: Readonly<Record<string, RowPlace>> = {
  '/resources/:id': byId('resources'),
  '/resources/:resourceId/authorization-details-types/:typeId': byId('resources'),
  '/roles/:id': byId('roles'),
  '/users/:userId': byId('users'),
  '/applications/:id': APPLICATION,
  '/applications/:applicationId/access-control': APPLICATION,
  '/applications/:applicationId/sign-in-experience': APPLICATION,
  '/saml-applications/:id': APPLICATION,
  '/organizations/:id': byId('organizations'),
  '/organization-roles/:id': byId('organization_roles'),
  '/organization-scopes/:id': byId('organization_scopes'),
  '/scim-directories/:id': byId('scim_directories'),
  '/connectors/:id': byId('connectors'),
  '/sso-connectors/:id': byId('sso_connectors'),
  '/sso-connectors/:id/idp-initiated-auth-config': byId('sso_connectors'),
  '/hooks/:id': byId('hooks'),
  '/administrator-roles/:id': byId('administrator_roles'),
  '/custom-profile-fields/:name': { table: 'custom_profile_fields', column: 'name' },
  '/custom-phrases/:languageTag': { table: 'custom_phrases', column: 'language_tag' },
  '/configs/jwt-customizer/:tokenTypePath': { table: 'jwt_customizers', column: 'token_type' },
  '/captcha-provider': { table: 'captcha_providers' },
  '/sign-in-exp': { table: 'sign_in_experiences', empty: { settings: '{}' } },
  '/account-center': { table: 'account_centers', empty: { webauthn_related_origins: '{}' } },
}

/** The keys of audit entries about changes at a path and beneath it. */
const keysOf = (path: string): string[] =>
  API_ROUTES.filter(
    (route) => ['PUT', 'PATCH'].includes(route.method) && (route.path === path || route.path.startsWith(`${path}/`)),
  ).map(({ id }) => `ManagementApi.${id}`)

/** Of a route that changes or deletes a thing with a version; undefined: it has none. @param all the bound routes, one of which shows it */
export const versionedBy = ({ path, method, version }: Route, all: readonly BoundRoute[]): Versioned | undefined => {
  if (!version || method === 'GET') return undefined
  const row = ROWS[path]
  const shown = all.find(({ route }) => route.path === path && route.method === 'GET')
  if (!row || !shown) throw new Error(`${method} ${path} has a version, but no row or no route that shows it`)
  const keys = keysOf(path)
  return {
    schema: shown.route.response,
    async current(call, unit) {
      const { params } = call.exchange
      await lockRow(unit, row, Object.values(params)[0])
      const reading = { ...call, store: storeWithin(call.store, unit.tx) }
      return shown.handle({ params, query: version.query ?? {}, body: undefined }, reading)
    },
    async refusal({ exchange: { params } }, { tx, tenant }) {
      const ids = namedEntities(path, params, undefined).map(({ id }) => id)
      return new ApiError('request.precondition_failed', { ...(await lastChange(tx, tenant, { keys, ids, params })) })
    },
  }
}
