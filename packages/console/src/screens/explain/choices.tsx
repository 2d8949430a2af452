/** Which user, and which application, is meant: a button that shows it and opens a search. */
import { useState } from 'react'
import { useAnswer, usePage } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Button } from '../../parts/button.tsx'
import { Chooser } from '../../parts/chooser.tsx'
import { memberOf } from '../users/member.tsx'
import { patternOf, titleOf } from '../users/search.ts'

const SHOWN = 8

interface ChoiceProps {
  readonly id: string | undefined
  readonly onChoose: (id: string) => void
}

/** A label above a button that shows what is chosen. */
const Chosen = ({
  label,
  value,
  onClick,
}: {
  readonly label: string
  readonly value: string
  readonly onClick: () => void
}) => (
  <div className="min-w-0">
    <div className="mb-1 font-medium">{label}</div>
    <Button onClick={onClick} aria-label={`${label}: ${value}`} className="w-full justify-start!">
      <span className="truncate">{value}</span>
    </Button>
  </div>
)

export const UserChoice = ({ id, onChoose }: ChoiceProps) => {
  const [isOpen, setOpen] = useState(false)
  const [search, setSearch] = useState('')
  const { data: user } = useAnswer('getUser', { params: { userId: id ?? '' } }, id !== undefined)
  const found = usePage(
    'listUsers',
    { query: { page: 1, page_size: SHOWN, ...(search ? { search: patternOf(search) } : {}) } },
    undefined,
    isOpen,
  )
  return (
    <>
      <Chosen
        label={t('users.user')}
        value={id === undefined ? t('explain.choose') : user ? titleOf(user) : id}
        onClick={() => setOpen(true)}
      />
      {isOpen && (
        <Chooser
          title={t('users.user')}
          text={t('explain.userText')}
          searchLabel={t('users.search')}
          search={search}
          onSearch={setSearch}
          choices={found.data?.rows.map(memberOf)}
          error={found.error}
          isBusy={false}
          onClose={() => setOpen(false)}
          onChoose={(choice) => {
            setOpen(false)
            onChoose(choice.id)
          }}
        />
      )}
    </>
  )
}

export const ApplicationChoice = ({ id, onChoose }: ChoiceProps) => {
  const [isOpen, setOpen] = useState(false)
  const [search, setSearch] = useState('')
  const { data: application } = useAnswer('getApplication', { params: { id: id ?? '' } }, id !== undefined)
  const found = usePage(
    'listApplications',
    { query: { page: 1, page_size: SHOWN, ...(search ? { search: `%${search}%` } : {}) } },
    undefined,
    isOpen,
  )
  return (
    <>
      <Chosen
        label={t('explain.application')}
        value={id === undefined ? t('explain.choose') : (application?.name ?? id)}
        onClick={() => setOpen(true)}
      />
      {isOpen && (
        <Chooser
          title={t('explain.application')}
          text={t('explain.applicationText')}
          searchLabel={t('applications.search')}
          search={search}
          onSearch={setSearch}
          choices={found.data?.rows.map(({ id: applicationId, name, description }) => ({
            id: applicationId,
            name,
            detail: description,
          }))}
          error={found.error}
          isBusy={false}
          onClose={() => setOpen(false)}
          onChoose={(choice) => {
            setOpen(false)
            onChoose(choice.id)
          }}
        />
      )}
    </>
  )
}
