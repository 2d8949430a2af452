/** `/configs/jwt-customizer`: the scripts of custom claims, and trying one. */
import { type CustomizedToken, jwtCustomizerRoutes } from '@countersign/contract/jwt-customizer.ts'
import type { RouteInput, RouteResult } from '@countersign/contract/route.ts'
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
import { type ScriptView, scriptInput } from '../tokens/claims/custom-claims.ts'
import { scriptPool } from '../tokens/claims/pool.ts'
import { extraClaims } from '../tokens/claims/registered-claims.ts'
import { DEFAULT_CPU_LIMIT, type ScriptFailure, type ScriptOutcome } from '../tokens/claims/script.ts'
import { rehearse } from './customizer-subject.ts'
import type { SimulateToken } from './token-simulation.ts'

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

type TestBody = RouteInput<typeof jwtCustomizerRoutes.testJwtCustomizer>['body']
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

/** What only an answer with details has. */
type Details = Readonly<Record<string, unknown>>

const failure = (
  kind: ScriptFailure,
  reason: string,
  { console, cpuTime }: ScriptOutcome,
  details?: Details,
): ApiError =>
  kind === 'unavailable'
    ? new ApiError('request.unavailable', { reason: 'too many scripts are waiting to run; try again soon' })
    : new ApiError('jwt_customizer.general', { reason, failure: kind, console, cpuTime, ...details })

/** A script that could not even begin would refuse every token: throws 422 for it. */
const assertHasFunction = async ({ id: tenantId }: Tenant, script: string | undefined): Promise<void> => {
  if (script === undefined) return
  const outcome = await scriptPool.run({ tenantId, script, input: undefined, cpuLimit: DEFAULT_CPU_LIMIT })
  const { conclusion } = outcome
  if (conclusion.kind === 'failed') throw failure(conclusion.failure, conclusion.detail, outcome)
}

/** What a token would get of it, or why it would get nothing. */
const judged = (outcome: ScriptOutcome, details: Details) => {
  const { conclusion, console, cpuTime } = outcome
  if (conclusion.kind === 'denied')
    return new ApiError(
      'jwt_customizer.general',
      { reason: `access denied: ${conclusion.message}`, console, cpuTime, ...details },
      { isOther: true },
    )
  if (conclusion.kind === 'failed') return failure(conclusion.failure, conclusion.detail, outcome, details)
  const { json, names } = conclusion
  return extraClaims(json, names) ?? failure('result', 'its result is no object, or a large one', outcome, details)
}

const sampled = ({ token, context = {} }: Pick<TestBody, 'token' | 'context'>): ScriptView => {
  if (!token) throw new ApiError('guard.invalid_input', { reason: 'either token or subject is required' })
  return { token: JSON.stringify(token), context: JSON.stringify(context) }
}

export const jwtCustomizerHandlers = (simulate: SimulateToken) =>
  bind(jwtCustomizerRoutes, {
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
    async testJwtCustomizer({ query, body }, call) {
      const { tokenType, script, subject, environmentVariables, cpuLimit = DEFAULT_CPU_LIMIT } = body
      const isExplained = query.details === 'true'
      const rehearsal = subject && (await rehearse(call, simulate, tokenType, subject))
      const view = rehearsal?.view ?? sampled(body)
      const input = scriptInput(view, environmentVariables)
      const outcome = await scriptPool.run({ tenantId: call.tenant.id, script, input, cpuLimit, isExplained })
      const { console, cpuTime, memory } = outcome
      const seen = rehearsal && { token: JSON.parse(view.token), context: JSON.parse(view.context) }
      const details = isExplained ? { ...(memory && { memory }), ...seen } : {}
      const result = judged(outcome, details)
      const refusal =
        result instanceof ApiError
          ? result
          : await rehearsal?.whyTooLong(result.claims, { console, cpuTime, ...details })
      await call.perform(concludeCustomizerTest, tokenType, subject, refusal)
      if (result instanceof ApiError) throw result
      const { claims, dropped, droppedClaims } = result
      if (!isExplained) return { ...claims }
      return { claims, dropped, droppedClaims: [...droppedClaims], console, cpuTime, ...details }
    },
  })
