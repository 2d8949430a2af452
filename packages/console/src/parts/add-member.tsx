/** Chooses a user, or an application that acts for itself, among those that are not members yet. */
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { usePage } from '../api/client.ts'
import { t } from '../languages/languages.ts'
import { memberOf } from '../screens/users/member.tsx'
import { patternOf } from '../screens/users/search.ts'
import { Button } from './button.tsx'
import { type Choice, Chooser } from './chooser.tsx'

const SHOWN = 8

interface AddMemberProps {
  readonly text: string
  /** Whose members are left out. */
  readonly without: { readonly excludeRoleId: string } | { readonly excludeOrganizationId: string }
  readonly change: { readonly isPending: boolean; readonly error: unknown; readonly reset: () => void }
  readonly onChoose: (choice: Choice, done: () => void) => void
}

interface ChoosingProps extends AddMemberProps {
  readonly onClose: () => void
}

const ChooseUser = ({ text, without, change, onChoose, onClose }: ChoosingProps) => {
  const [search, setSearch] = useState('')
  const found = usePage('listUsers', {
    query: { ...without, page: 1, page_size: SHOWN, ...(search ? { search: patternOf(search) } : {}) },
  })
  return (
    <Chooser
      title={t('roles.addUser')}
      text={text}
      searchLabel={t('users.search')}
      search={search}
      onSearch={setSearch}
      choices={found.data?.rows.map(memberOf)}
      error={found.error ?? change.error}
      isBusy={change.isPending}
      onChoose={(choice) => onChoose(choice, onClose)}
      onClose={onClose}
    />
  )
}

const ChooseApplication = ({ text, without, change, onChoose, onClose }: ChoosingProps) => {
  const [search, setSearch] = useState('')
  const found = usePage('listApplications', {
    query: {
      ...without,
      types: 'MachineToMachine',
      page: 1,
      page_size: SHOWN,
      ...(search ? { search: `%${search}%` } : {}),
    },
  })
  return (
    <Chooser
      title={t('roles.addApplication')}
      text={text}
      searchLabel={t('applications.search')}
      search={search}
      onSearch={setSearch}
      choices={found.data?.rows.map(({ id, name, description }) => ({ id, name, detail: description }))}
      error={found.error ?? change.error}
      isBusy={change.isPending}
      onChoose={(choice) => onChoose(choice, onClose)}
      onClose={onClose}
    />
  )
}

/** The button, and the dialog that it opens. */
export const AddMember = ({ kind, ...rest }: AddMemberProps & { readonly kind: 'user' | 'application' }) => {
  const [isOpen, setOpen] = useState(false)
  const close = () => {
    setOpen(false)
    rest.change.reset()
  }
  return (
    <>
      <Button look="primary" onClick={() => setOpen(true)}>
        <Plus size={15} aria-hidden />
        {t(kind === 'user' ? 'roles.addUser' : 'roles.addApplication')}
      </Button>
      {isOpen &&
        (kind === 'user' ? <ChooseUser {...rest} onClose={close} /> : <ChooseApplication {...rest} onClose={close} />)}
    </>
  )
}
