/** Boxes for the roles of the organization template, of which a member, an invitation or a rule has some. */
import { useAnswer } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { CheckRow } from '../../parts/check-row.tsx'
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
        <CheckRow
          key={id}
          label={name}
          text={description}
          isOn={held.has(id)}
          isReadOnly={isReadOnly}
          onChange={(isOn) => {
            const next = new Set(held)
            if (isOn) next.add(id)
            else next.delete(id)
            onChange(next)
          }}
        />
      ))}
    </fieldset>
  )
}
