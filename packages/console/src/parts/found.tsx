/** What a search finds among users, applications, roles or organizations: the first few, as choices. */
import { usePage } from '../api/client.ts'
import { memberOf } from '../screens/users/member.tsx'
import { patternOf } from '../screens/users/search.ts'
import type { Choice } from './chooser.tsx'
import type { RoleType } from './role-types.ts'

const FIRST = { page: 1, page_size: 8 } as const

interface Without {
  readonly excludeRoleId?: string
  readonly excludeOrganizationId?: string
}

/** What is searched. */
export type Among =
  | { readonly kind: 'users' | 'machines'; readonly without?: Without }
  | { readonly kind: 'roles'; readonly type: RoleType; readonly excludeApplicationId?: string }
  | { readonly kind: 'organizations' }

/** An application, a role or an organization as a line of a list. */
export const choiceOf = ({
  id,
  name,
  description,
}: {
  id: string
  name: string
  description: string | null
}): Choice => ({
  id,
  name,
  detail: description,
})

/** `choices` is undefined until the answer is there. */
export const useFound = (
  among: Among,
  search: string,
): { readonly choices: readonly Choice[] | undefined; readonly error: unknown } => {
  const { kind } = among
  const without = kind === 'users' || kind === 'machines' ? among.without : {}
  const containing = search ? { search: `%${search}%` } : {}
  const users = usePage(
    'listUsers',
    { query: { ...without, ...FIRST, ...(search ? { search: patternOf(search) } : {}) } },
    undefined,
    kind === 'users',
  )
  const machines = usePage(
    'listApplications',
    { query: { ...without, types: 'MachineToMachine', ...FIRST, ...containing } },
    undefined,
    kind === 'machines',
  )
  const { kind: _kind, ...filter } = kind === 'roles' ? among : { kind }
  const roles = usePage('listRoles', { query: { ...filter, ...FIRST, ...containing } }, undefined, kind === 'roles')
  const organizations = usePage(
    'listOrganizations',
    { query: { ...FIRST, ...(search ? { q: search } : {}) } },
    undefined,
    kind === 'organizations',
  )
  if (kind === 'users') return { choices: users.data?.rows.map(memberOf), error: users.error }
  const { data, error } = { machines, roles, organizations }[kind]
  return { choices: data?.rows.map(choiceOf), error }
}
