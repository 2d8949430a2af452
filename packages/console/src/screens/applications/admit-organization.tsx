/** Admits the members of an organization to an application: all of them, or those with one of some roles. */
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../languages/languages.ts'
import { Button } from '../../parts/button.tsx'
import { type Choice, Chooser } from '../../parts/chooser.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { useFound } from '../../parts/found.tsx'
import { ErrorState } from '../../parts/states.tsx'
import { RoleBoxes } from '../organizations/role-boxes.tsx'

interface AdmitProps {
  readonly change: { readonly isPending: boolean; readonly error: unknown; readonly reset: () => void }
  /** No roles: all members. */
  readonly onAdmit: (organizationId: string, roleIds: readonly string[], done: () => void) => void
}

const ChooseOrganization = (props: { readonly onChoose: (choice: Choice) => void; readonly onClose: () => void }) => {
  const [search, setSearch] = useState('')
  const { choices, error } = useFound({ kind: 'organizations' }, search)
  return (
    <Chooser
      {...props}
      title={t('access.addOrganization')}
      text={t('access.organizationText')}
      searchLabel={t('organizations.search')}
      search={search}
      onSearch={setSearch}
      choices={choices}
      error={error}
      isBusy={false}
    />
  )
}

const ChooseRoles = ({
  organization,
  change,
  onAdmit,
  onClose,
}: AdmitProps & { readonly organization: Choice; readonly onClose: () => void }) => {
  const [held, hold] = useState<ReadonlySet<string>>(new Set())
  return (
    <Dialog isOpen onClose={onClose} title={organization.name} description={t('access.rolesText')}>
      <RoleBoxes type="User" held={held} onChange={hold} />
      {change.error ? <ErrorState error={change.error} /> : null}
      <div className="mt-4 flex justify-end gap-2">
        <Button onClick={onClose}>{t('action.cancel')}</Button>
        <Button look="primary" isBusy={change.isPending} onClick={() => onAdmit(organization.id, [...held], onClose)}>
          {t(held.size === 0 ? 'access.admitAll' : 'access.admitRoles')}
        </Button>
      </div>
    </Dialog>
  )
}

export const AdmitOrganization = (props: AdmitProps) => {
  const [isOpen, setOpen] = useState(false)
  const [organization, choose] = useState<Choice>()
  const close = () => {
    setOpen(false)
    choose(undefined)
    props.change.reset()
  }
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Plus size={15} aria-hidden />
        {t('access.addOrganization')}
      </Button>
      {isOpen &&
        (organization ? (
          <ChooseRoles {...props} organization={organization} onClose={close} />
        ) : (
          <ChooseOrganization onChoose={choose} onClose={close} />
        ))}
    </>
  )
}
