/** `/configs/jwt-customizer`: the scripts of custom claims, and trying one. */
import { type CustomizedToken, jwtCustomizerRoutes } from '@countersign/contract/jwt-customizer.ts'
import type { RouteResult } from '@countersign/contract/route.ts'
import { type CustomizerVersion, getVersion, listVersions } from '../domain/issued/customizer-versions.ts'
import {
  type Customizer,
  concludeCustomizerTest,
  deleteCustomizer,
  getCustomizer,
  listCustomizers,
  putCustomizer,
  restoreCustomizer,
  updateCustomizer,
} from '../domain/issued/jwt-customizers.ts'
import { bind } from '../http/api.ts'
import { ApiError } from '../kernel/api-error.ts'
import type { Tenant } from '../kernel/tenant.ts'
import type { Store } from '../storage/store.ts'
import { scriptPool } from '../tokens/claims/pool.ts'
import { extraClaims } from '../tokens/claims/registered-claims.ts'
import { DEFAULT_CPU_LIMIT, type ScriptFailure, type ScriptOutcome } from '../tokens/claims/script.ts'

const KEYS = { 'access-token': 'jwt.accessToken', 'client-credentials': 'jwt.clientCredentials' } as const

const toCustomizer = ({
  tokenType: _tokenType,
  environmentVariables,
  contextSample,
  tokenSample,
  ...rest
}: Customizer) => ({
  ...rest,
  ...(environmentVariables && { environmentVariables: { ...environmentVariables } }),
  ...(contextSample && { contextSample: { ...contextSample } }),
  ...(tokenSample && { tokenSample: { ...tokenSample } }),
})

type VersionActor = NonNullable<RouteResult<typeof jwtCustomizerRoutes.getJwtCustomizerVersion>['changedBy']>

/** @param newest the number of the newest, which is in use if there is a script at all */
const toVersion = (row: CustomizerVersion, newest: number | undefined) => ({
  version: row.version,
  createdAt: row.created_at.getTime(),
  changedBy: row.changed_by as VersionActor | null,
  restoredFrom: row.restored_from,
  isCurrent: row.version === newest,
})

/** The number of the version in use; undefined: there is no script. */
const currentVersion = async (store: Store, tenant: Tenant, tokenType: CustomizedToken) => {
  const isThere = (await listCustomizers(store, tenant)).some((each) => each.tokenType === tokenType)
  return isThere ? (await listVersions(store.database.kysely, tenant, tokenType))[0]?.version : undefined
}

const failure = (kind: ScriptFailure, reason: string, { console, cpuTime }: ScriptOutcome): ApiError =>
  kind === 'unavailable'
    ? new ApiError('request.unavailable', { reason: 'too many scripts are waiting to run; try again soon' })
    : new ApiError('jwt_customizer.general', { reason, failure: kind, console, cpuTime })

/** A script that could not even begin would refuse every token: throws 422 for it. */
const assertHasFunction = async ({ id: tenantId }: Tenant, script: string | undefined): Promise<void> => {
  if (script === undefined) return
  const outcome = await scriptPool.run({ tenantId, script, input: undefined, cpuLimit: DEFAULT_CPU_LIMIT })
  const { conclusion } = outcome
  if (conclusion.kind === 'failed') throw failure(conclusion.failure, conclusion.detail, outcome)
}

/** What a token would get of it, or why it would get nothing. */
const judged = (outcome: ScriptOutcome) => {
  const { conclusion, console, cpuTime } = outcome
  if (conclusion.kind === 'denied')
    return new ApiError(
      'jwt_customizer.general',
      { reason: `access denied: ${conclusion.message}`, console, cpuTime },
      { isOther: true },
    )
  if (conclusion.kind === 'failed') return failure(conclusion.failure, conclusion.detail, outcome)
  return extraClaims(conclusion.json) ?? failure('result', 'its result is no object, or a large one', outcome)
}

export const jwtCustomizerHandlers = bind(jwtCustomizerRoutes, {
  async listJwtCustomizers(_input, { store, tenant }) {
    const all = await listCustomizers(store, tenant)
    return all.map((customizer) => ({ key: KEYS[customizer.tokenType], value: toCustomizer(customizer) }))
  },
  async getJwtCustomizer({ params }, { store, tenant }) {
    return toCustomizer(await getCustomizer(store, tenant, params.tokenTypePath))
  },
  async putJwtCustomizer({ params, body }, { tenant, perform, reply }) {
    await assertHasFunction(tenant, body.script)
    const { customizer, isFirst } = await perform(putCustomizer, params.tokenTypePath, body)
    if (isFirst) reply.useOtherStatus()
    return toCustomizer(customizer)
  },
  async updateJwtCustomizer({ params, body }, { store, tenant, perform }) {
    await getCustomizer(store, tenant, params.tokenTypePath)
    await assertHasFunction(tenant, body.script)
    return toCustomizer(await perform(updateCustomizer, params.tokenTypePath, body))
  },
  async deleteJwtCustomizer({ params }, { perform }) {
    await perform(deleteCustomizer, params.tokenTypePath)
  },
  async listJwtCustomizerVersions({ params: { tokenTypePath } }, { store, tenant }) {
    const newest = await currentVersion(store, tenant, tokenTypePath)
    return (await listVersions(store.database.kysely, tenant, tokenTypePath)).map((row) => toVersion(row, newest))
  },
  async getJwtCustomizerVersion({ params: { tokenTypePath, version } }, { store, tenant }) {
    const row = await getVersion(store.database.kysely, tenant, tokenTypePath, Number(version))
    return { ...toVersion(row, await currentVersion(store, tenant, tokenTypePath)), script: row.script }
  },
  async restoreJwtCustomizerVersion({ params: { tokenTypePath, version } }, { store, tenant, perform }) {
    const { script } = await getVersion(store.database.kysely, tenant, tokenTypePath, Number(version))
    await assertHasFunction(tenant, script)
    return toCustomizer(await perform(restoreCustomizer, tokenTypePath, Number(version)))
  },
  async testJwtCustomizer({ query, body }, { tenant, perform }) {
    const { script, token, context = {}, environmentVariables, cpuLimit = DEFAULT_CPU_LIMIT } = body
    const input = JSON.stringify({ token, context, environmentVariables })
    const outcome = await scriptPool.run({ tenantId: tenant.id, script, input, cpuLimit })
    const result = judged(outcome)
    await perform(concludeCustomizerTest, body.tokenType, result instanceof ApiError ? result : undefined)
    if (result instanceof ApiError) throw result
    const { claims, dropped } = result
    if (query.details !== 'true') return { ...claims }
    return { claims, dropped, console: outcome.console, cpuTime: outcome.cpuTime }
  },
})
