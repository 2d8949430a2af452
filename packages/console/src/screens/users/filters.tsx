/** What the list of users is filtered by beside its search: state, second factors, last sign-in and age; all of it in the address. */
import { X } from 'lucide-react'
import type { Input } from '../../api/client.ts'
import { type Phrase, t } from '../../languages/languages.ts'
import { Button } from '../../parts/button.tsx'
import { Select } from '../../parts/select.tsx'

export interface UserFilter {
  readonly status?: string
  readonly factor?: string
  readonly signIn?: string
  readonly created?: string
}

type Query = NonNullable<NonNullable<Input<'listUsers'>>['query']>
type Choices = Readonly<Record<string, { readonly title: Phrase; readonly query: (now: number) => Query }>>

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const STATUS: Choices = {
  active: { title: 'filter.active', query: () => ({ isSuspended: 'false' }) },
  suspended: { title: 'users.suspended', query: () => ({ isSuspended: 'true' }) },
}
const FACTOR: Choices = {
  any: { title: 'filter.withFactor', query: () => ({ hasSecondFactor: 'true' }) },
  none: { title: 'filter.withoutFactor', query: () => ({ hasSecondFactor: 'false' }) },
  app: { title: 'factor.totp', query: () => ({ secondFactor: 'Totp' }) },
  passkey: { title: 'factor.passkey', query: () => ({ secondFactor: 'WebAuthn' }) },
  backup: { title: 'factor.backup', query: () => ({ secondFactor: 'BackupCode' }) },
}
const SIGN_IN: Choices = {
  day: { title: 'filter.day', query: (now) => ({ lastSignInAfter: now - DAY_MS }) },
  week: { title: 'filter.week', query: (now) => ({ lastSignInAfter: now - 7 * DAY_MS }) },
  month: { title: 'filter.month', query: (now) => ({ lastSignInAfter: now - 30 * DAY_MS }) },
  notMonth: { title: 'filter.notMonth', query: (now) => ({ lastSignInBefore: now - 30 * DAY_MS }) },
  notYear: { title: 'filter.notYear', query: (now) => ({ lastSignInBefore: now - 365 * DAY_MS }) },
  never: { title: 'filter.never', query: () => ({ hasSignedIn: 'false' }) },
}
const CREATED: Choices = {
  day: { title: 'filter.day', query: (now) => ({ createdAfter: now - DAY_MS }) },
  week: { title: 'filter.week', query: (now) => ({ createdAfter: now - 7 * DAY_MS }) },
  month: { title: 'filter.month', query: (now) => ({ createdAfter: now - 30 * DAY_MS }) },
  notYear: { title: 'filter.notYear', query: (now) => ({ createdBefore: now - 365 * DAY_MS }) },
}
const FILTERS = [
  ['status', 'filter.status', STATUS],
  ['factor', 'user.factors', FACTOR],
  ['signIn', 'users.lastSignIn', SIGN_IN],
  ['created', 'users.created', CREATED],
] as const satisfies readonly (readonly [keyof UserFilter, Phrase, Choices])[]

/** The filter as the API takes it. Periods begin at a full hour, so that the same list is not asked for at every moment anew. */
export const filterQuery = (filter: UserFilter): Query => {
  const now = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
  return Object.assign({}, ...FILTERS.map(([name, , choices]) => choices[filter[name] ?? '']?.query(now) ?? {}))
}

interface FiltersProps {
  readonly filter: UserFilter
  readonly put: (change: { readonly [Name in keyof UserFilter]: string | undefined }) => void
}

export const Filters = ({ filter, put }: FiltersProps) => (
  <>
    {FILTERS.map(([name, title, choices]) => (
      <Select
        key={name}
        label={t(title)}
        value={filter[name] ?? ''}
        choices={[
          ['', t('filter.anyOf', { what: t(title) })],
          ...Object.entries(choices).map(([value, choice]) => [value, t(choice.title)] as const),
        ]}
        onChange={(next) => put({ [name]: next || undefined })}
      />
    ))}
    {FILTERS.some(([name]) => filter[name] !== undefined) && (
      <Button
        look="ghost"
        onClick={() => put({ status: undefined, factor: undefined, signIn: undefined, created: undefined })}
      >
        <X size={15} aria-hidden />
        {t('action.clear')}
      </Button>
    )}
  </>
)
