/** Boxes for the roles of the organization template, of which a member, an invitation or a rule has some. */
import { useAnswer } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import type { RoleType } from '../../parts/role-types.ts'
import { ErrorState, Loading } from '../../parts/states.tsx'

const MOST = 100

interface RoleBoxesProps {
  readonly type: RoleType
  /** Ids. */
  readonly held: ReadonlySet<string>
  readonly onChange: (held: ReadonlySet<string>) => void
  readonly isReadOnly?: boolean
}

export const RoleBoxes = ({ type, held, onChange, isReadOnly = false }: RoleBoxesProps) => {
  const { data, error } = useAnswer('listOrganizationRoles', { query: { page: 1, page_size: MOST } })
  if (error) return <ErrorState error={error} />
  if (!data) return <Loading lines={2} />
  const roles = data.filter((role) => role.type === type)
  return (
    <fieldset className="space-y-1">
      <legend className="mb-1 font-medium">{t('nav.roles')}</legend>
      {roles.length === 0 && <p className="text-soft">{t('organizations.noRoles')}</p>}
      {roles.map(({ id, name, description }) => (
        <label key={id} className="-mx-2 flex cursor-pointer items-start gap-3 rounded-lg px-2 py-1.5 hover:bg-hover">
          <input
            type="checkbox"
            checked={held.has(id)}
            disabled={isReadOnly}
            onChange={({ target }) => {
              const next = new Set(held)
              if (target.checked) next.add(id)
              else next.delete(id)
              onChange(next)
            }}
            className="mt-1 size-4 shrink-0 accent-accent-fill"
          />
          <span className="min-w-0">
            <span className="wrap-anywhere block font-medium">{name}</span>
            {description && <span className="wrap-anywhere block text-soft text-xs">{description}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
