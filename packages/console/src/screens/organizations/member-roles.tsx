/** The roles of one member in an organization. */
import { useState } from 'react'
import { t } from '../../languages/languages.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import type { Member } from '../../parts/member-list.tsx'
import type { RoleType } from '../../parts/role-types.ts'
import { ErrorState } from '../../parts/states.tsx'
import { RoleBoxes } from './role-boxes.tsx'

interface MemberRolesProps {
  readonly member: Member
  readonly type: RoleType
  readonly change: { readonly isPending: boolean; readonly error: unknown }
  readonly onSave: (roleIds: readonly string[]) => void
  readonly onClose: () => void
}

export const MemberRoles = ({ member: { name, roles = [] }, type, change, onSave, onClose }: MemberRolesProps) => {
  const [held, hold] = useState<ReadonlySet<string>>(() => new Set(roles.map(({ id }) => id)))
  return (
    <Dialog isOpen onClose={onClose} title={name} description={t('organizations.rolesText')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          onSave([...held])
        }}
      >
        <RoleBoxes type={type} held={held} onChange={hold} />
        {change.error ? <ErrorState error={change.error} /> : null}
        <div className="mt-4 flex justify-end gap-2">
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button look="primary" type="submit" isBusy={change.isPending}>
            {t('action.save')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
