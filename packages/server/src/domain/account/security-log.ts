/** What happened to one user's account, from the audit log, for the user: sign-ins, attempts, and changes; without secrets. */
import { sql } from 'kysely'
import type { Tenant } from '../../kernel/tenant.ts'
import { wholePayload } from '../../storage/audit-payload.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { mapPage, type Page, type PageRequest, paginate } from '../../storage/page.ts'
import type { Store } from '../../storage/store.ts'
import type { AuditEntry } from '../tenants/audit-entries.ts'

/** What concerns the security of an account; tokens that applications get by themselves do not. */
const KEYS =
  '^(Interaction\\.(SignIn|Register|ForgotPassword|SelectAccount|Consent|Device)|ExperienceApi\\.|Account(Api|Pages)\\.|ManagementApi\\.|Scim\\.|EndSession$|RevokeToken$)'

/** Steps on the way to a change, which has an entry of its own. */
const STEPS =
  '^Account(Pages\\.(Begin\\w+|FinishPasskey|VerifyAddress|VerifyLink)|Api\\.(beginMy\\w+|generateMy\\w+|verifyMyNewPasskey))$'

/** What operators and directories do: users are not told who and where they are. */
const OF_OTHERS = /^(ManagementApi|Scim)\./

/** An entry as the user sees it. */
export interface SecurityLogEntry {
  readonly id: string
  readonly key: string
  readonly result: 'Success' | 'Error'
  /** The code of the error. */
  readonly error?: string
  /** Whether it was the user, or another person under their name. */
  readonly isByUser: boolean
  readonly ip: string | null
  readonly userAgent: string | null
  readonly country: string | null
  readonly city: string | null
  readonly applicationId: string | null
  readonly applicationName: string | null
  readonly createdAt: Date
}

interface Named extends AuditEntry {
  readonly application_name: string | null
}

const entryOf = ({ places }: Store, row: Named): SecurityLogEntry => {
  const { result, error, ip, userAgent } = wholePayload(row) as Readonly<Record<string, unknown>>
  const isByUser = !OF_OTHERS.test(row.key)
  const shown = (value: unknown) => (isByUser && typeof value === 'string' ? value : null)
  const place = places.of(shown(ip) ?? undefined)
  return {
    id: row.id,
    key: row.key,
    result: result === 'Success' ? 'Success' : 'Error',
    // codes of errors consist of these; whatever else an entry says is for operators
    ...(typeof error === 'string' && /^[a-z0-9_.]{1,80}$/.test(error) ? { error } : {}),
    isByUser,
    ip: shown(ip),
    userAgent: shown(userAgent),
    country: place?.country ?? null,
    city: place?.city ?? null,
    applicationId: isByUser ? row.application_id : null,
    applicationName: isByUser ? row.application_name : null,
    createdAt: row.created_at,
  }
}

/** The entries about a user. Those of a user about another are not among them. */
const entriesOf = ({ database }: Store, { id: tenantId }: Tenant, userId: string) =>
  database.kysely
    .selectFrom('audit_log')
    .selectAll('audit_log')
    .select((select) =>
      select
        .selectFrom('applications as a')
        .select('a.name')
        .whereRef('a.tenant_id', '=', 'audit_log.tenant_id')
        .whereRef('a.id', '=', 'audit_log.application_id')
        .as('application_name'),
    )
    .where(inTenant(tenantId))
    .where(sql<boolean>`(user_id = ${userId} OR (user_id IS NULL AND entities @> ARRAY[${userId}]::text[]))`)

/**
 * A page of what happened to the account of a user, newest first. Throws 400 `guard.invalid_pagination`.
 * @param isWithSteps whether also what only leads to a change
 */
export const listSecurityLog = async (
  store: Store,
  tenant: Tenant,
  userId: string,
  request: PageRequest,
  { isWithSteps } = { isWithSteps: true },
): Promise<Page<SecurityLogEntry>> => {
  await store.audit.flush()
  const all = entriesOf(store, tenant, userId).where(sql<boolean>`key ~ ${KEYS}`)
  const query = isWithSteps ? all : all.where(sql<boolean>`key !~ ${STEPS}`)
  const page = await paginate(store.database.kysely, query, request, { isSearch: true })
  return mapPage(page, (row) => entryOf(store, row))
}

/** All entries about a user, tokens included, newest first. @param most that are read */
export const wholeSecurityLog = async (
  store: Store,
  tenant: Tenant,
  userId: string,
  most: number,
): Promise<SecurityLogEntry[]> => {
  await store.audit.flush()
  const rows = await entriesOf(store, tenant, userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(most)
    .execute()
  return rows.map((row) => entryOf(store, row))
}
