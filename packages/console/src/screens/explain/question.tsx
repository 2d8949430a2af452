/** What is asked: which user, at which application, for which API, organization and scopes. All of it is in the address. */
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { may, useAnswer, usePage } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Button } from '../../parts/button.tsx'
import { Chooser } from '../../parts/chooser.tsx'
import { Field } from '../../parts/field.tsx'
import { Card } from '../../parts/page.tsx'
import { Select } from '../../parts/select.tsx'
import { memberOf } from '../users/member.tsx'
import { patternOf, titleOf } from '../users/search.ts'

const SHOWN = 8

interface Asked {
  readonly user?: string
  readonly application?: string
  readonly resource?: string
  readonly organization?: string
  readonly scope?: string
}

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

const UserChoice = ({ id, onChoose }: ChoiceProps) => {
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

const ApplicationChoice = ({ id, onChoose }: ChoiceProps) => {
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

export const Question = ({ asked }: { readonly asked: Asked }) => {
  const { user, application, resource, organization, scope = '' } = asked
  const navigate = useNavigate()
  const [typed, setTyped] = useState(scope)
  useEffect(() => setTyped(scope), [scope])
  const { data: apis = [] } = useAnswer('listResources', { query: {} })
  const { data: organizations = [] } = useAnswer(
    'listUserOrganizations',
    { params: { userId: user ?? '' } },
    user !== undefined,
  )
  const put = (next: Asked) =>
    void navigate({ to: '/explain', search: ((before: object) => ({ ...before, ...next })) as never, replace: true })
  const none = [['', t('explain.noneOf')]] as const
  return (
    <Card title={t('explain.question')}>
      <form
        className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4"
        onSubmit={(event) => {
          event.preventDefault()
          put({ scope: typed.trim() || undefined } as Asked)
        }}
      >
        <UserChoice id={user} onChoose={(id) => put({ user: id, organization: undefined } as Asked)} />
        <ApplicationChoice id={application} onChoose={(id) => put({ application: id })} />
        {may('listResources') && (
          <div className="min-w-0 [&>select]:w-full [&>select]:max-w-full">
            <div className="mb-1 font-medium">{t('log.resource')}</div>
            <Select
              label={t('log.resource')}
              value={resource ?? ''}
              choices={[...none, ...apis.map(({ indicator, name }) => [indicator, name] as const)]}
              onChange={(indicator) => put({ resource: indicator || undefined } as Asked)}
            />
          </div>
        )}
        {may('listUserOrganizations') && (
          <div className="min-w-0 [&>select]:w-full [&>select]:max-w-full">
            <div className="mb-1 font-medium">{t('log.organization')}</div>
            <Select
              label={t('log.organization')}
              value={organization ?? ''}
              choices={[...none, ...organizations.map(({ id, name }) => [id, name] as const)]}
              onChange={(id) => put({ organization: id || undefined } as Asked)}
            />
          </div>
        )}
        <div className="flex items-start gap-2 sm:col-span-2 lg:col-span-4">
          <div className="min-w-0 flex-1">
            <Field
              name="scope"
              label={t('explain.scope')}
              value={typed}
              onChange={setTyped}
              hint={t('explain.scopeHint')}
              placeholder="openid read:orders"
              isMonospace
            />
          </div>
          <Button type="submit" className="mt-6.5" disabled={typed.trim() === scope}>
            {t('explain.ask')}
          </Button>
        </div>
      </form>
    </Card>
  )
}
