/** The administrators: who may open the console, and with which roles. */
import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { may, type Row, useAnswer, useChange, usePage } from '../../api/client.ts'
import { ago } from '../../languages/formats.ts'
import { t } from '../../languages/languages.ts'
import { ShowApiCall } from '../../parts/api-call.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Page } from '../../parts/page.tsx'
import { ErrorState, Loading } from '../../parts/states.tsx'
import { notify } from '../../parts/toast.tsx'
import { currentTokens } from '../../session/session.ts'
import { Avatar } from '../users/avatar.tsx'
import { ChooseRoles, type Chosen } from './choose-roles.tsx'
import { ChooseUser } from './choose-user.tsx'
import { OwnRoles } from './own-roles.tsx'

type Administrator = Row<'listAdministrators'>
const MOST = 100

const nameOf = ({ name, username, primaryEmail, userId }: Administrator): string =>
  name || username || primaryEmail || userId

interface LineProps {
  readonly administrator: Administrator
  readonly roleNames: ReadonlyMap<string, string>
  readonly onChange: () => void
  readonly onRemove: () => void
}

const Line = ({ administrator, roleNames, onChange, onRemove }: LineProps) => {
  const { userId, avatar, roleIds, isSuspended, lastSignInAt } = administrator
  const name = nameOf(administrator)
  return (
    <li className="flex flex-wrap items-center gap-3 border-line px-4 py-3 not-last:border-b">
      <Avatar name={name} picture={avatar} />
      <div className="min-w-40 flex-1">
        <div className="flex flex-wrap items-center gap-2">
          <span className="wrap-anywhere font-medium">{name}</span>
          {userId === currentTokens().user.id && <Badge tone="good">{t('administrators.you')}</Badge>}
          {isSuspended && <Badge tone="bad">{t('users.suspended')}</Badge>}
        </div>
        <div className="text-soft text-xs">
          {t('administrators.lastSignIn', { when: lastSignInAt === null ? t('users.never') : ago(lastSignInAt) })}
        </div>
      </div>
      <div className="flex flex-wrap gap-1.5 max-md:order-last max-md:w-full">
        {roleIds.map((id) => (
          <Badge key={id} tone="accent">
            {roleNames.get(id) ?? id}
          </Badge>
        ))}
      </div>
      <div className="flex">
        {may('putAdministrator') && (
          <IconButton label={`${t('administrators.change')}: ${name}`} onClick={onChange}>
            <Pencil size={16} />
          </IconButton>
        )}
        {may('deleteAdministrator') && (
          <IconButton label={`${t('administrators.remove')}: ${name}`} onClick={onRemove}>
            <Trash2 size={16} />
          </IconButton>
        )}
      </div>
    </li>
  )
}

export const Administrators = () => {
  const { data, error, refetch } = usePage('listAdministrators', { query: { page: 1, page_size: MOST } })
  const { data: roles = [] } = useAnswer('listAdministratorRoles', { query: { page: 1, page_size: MOST } })
  const remove = useChange('deleteAdministrator')
  const [isAdding, setAdding] = useState(false)
  const [chosen, choose] = useState<Chosen>()
  const [doomed, setDoomed] = useState<Administrator>()
  const roleNames = new Map(roles.map(({ id, name }) => [id, name]))
  return (
    <Page
      title={t('nav.administrators')}
      text={t('administrators.text')}
      actions={
        <>
          <ShowApiCall calls={[{ id: 'listAdministrators' }, { id: 'listAdministratorRoles' }]} />
          {may('putAdministrator', 'listUsers') && (
            <Button look="primary" onClick={() => setAdding(true)}>
              <Plus size={15} aria-hidden />
              {t('administrators.add')}
            </Button>
          )}
        </>
      }
    >
      <div className="overflow-hidden rounded-xl border border-line bg-surface">
        {error ? (
          <ErrorState error={error} retry={refetch} />
        ) : data === undefined ? (
          <Loading />
        ) : (
          <ul>
            {data.rows.map((each) => (
              <Line
                key={each.userId}
                administrator={each}
                roleNames={roleNames}
                onChange={() => choose({ userId: each.userId, name: nameOf(each), roleIds: each.roleIds })}
                onRemove={() => setDoomed(each)}
              />
            ))}
          </ul>
        )}
      </div>
      <OwnRoles roles={roles} />
      {isAdding && (
        <ChooseUser
          onClose={() => setAdding(false)}
          onChoose={(user) => {
            setAdding(false)
            choose(user)
          }}
        />
      )}
      {chosen && <ChooseRoles chosen={chosen} roles={roles} onClose={() => choose(undefined)} />}
      {doomed && (
        <Confirm
          isOpen
          onClose={() => {
            setDoomed(undefined)
            remove.reset()
          }}
          title={t('administrators.remove')}
          text={t('administrators.removeText')}
          action={t('administrators.remove')}
          typed={nameOf(doomed)}
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() =>
            remove.mutate(
              { params: { userId: doomed.userId } },
              {
                onSuccess: () => {
                  setDoomed(undefined)
                  notify(t('administrators.removed', { name: nameOf(doomed) }))
                },
              },
            )
          }
        />
      )}
    </Page>
  )
}
