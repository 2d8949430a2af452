/** Who may use an application: every user, or those that one of its rules admits. */
import { useState } from 'react'
import { type Answer, may, useAnswer, useAnswers, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { AddOne } from '../../parts/add-one.tsx'
import { ItemList } from '../../parts/item-list.tsx'
import { Card } from '../../parts/page.tsx'
import { ErrorState, Loading } from '../../parts/states.tsx'
import { SwitchRow } from '../../parts/switch-row.tsx'
import { notify } from '../../parts/toast.tsx'
import { titleOf } from '../users/search.ts'
import { AdmitOrganization } from './admit-organization.tsx'

type Rules = Answer<'getAccessControl'>
/** Names are read for the first of each kind; the others show their id. */
const NAMED = 50

type Change = ReturnType<typeof useChange<'replaceAccessControl'>>

interface RulesProps {
  readonly rules: Rules
  /** Adds, and says in its dialog what is wrong. */
  readonly change: Change
  /** @param by another one than `change`: what is wrong is said where it was begun */
  readonly put: (next: Partial<Rules>, done: () => void, by?: Change) => void
}

/** Removal from one list. @param next the rules without an entry */
const useRemoval = ({ put }: RulesProps, next: (id: string) => Partial<Rules>) => {
  const change = useChange('replaceAccessControl')
  return may('replaceAccessControl')
    ? {
        isUndoable: true as const,
        action: t('access.remove'),
        isBusy: change.isPending,
        error: change.error,
        onRemove: (id: string, done: () => void) => put(next(id), done, change),
      }
    : undefined
}

const Users = (props: RulesProps) => {
  const { rules, change, put } = props
  const removal = useRemoval(props, (id) => ({ userIds: rules.userIds.filter((each) => each !== id) }))
  const names = useAnswers(
    'getUser',
    rules.userIds.slice(0, NAMED).map((userId) => ({ params: { userId } })),
  )
  return (
    <ItemList
      title={t('nav.users')}
      items={rules.userIds.map((id, at) => {
        const user = names[at]?.data
        return { id, title: user ? titleOf(user) : id, ...(user?.primaryEmail ? { detail: user.primaryEmail } : {}) }
      })}
      error={undefined}
      none={t('access.noUsers')}
      actions={
        may('replaceAccessControl', 'listUsers') && (
          <AddOne
            title={t('roles.addUser')}
            text={t('access.userText')}
            searchLabel={t('users.search')}
            among={{ kind: 'users' }}
            change={change}
            onChoose={({ id }, done) => put({ userIds: [...rules.userIds, id] }, done)}
          />
        )
      }
      removal={removal}
    />
  )
}

const Roles = (props: RulesProps) => {
  const { rules, change, put } = props
  const removal = useRemoval(props, (id) => ({ userRoleIds: rules.userRoleIds.filter((each) => each !== id) }))
  const names = useAnswers(
    'getRole',
    rules.userRoleIds.slice(0, NAMED).map((id) => ({ params: { id } })),
  )
  return (
    <ItemList
      title={t('nav.roles')}
      items={rules.userRoleIds.map((id, at) => ({ id, title: names[at]?.data?.name ?? id }))}
      error={undefined}
      none={t('access.noRoles')}
      actions={
        may('replaceAccessControl', 'listRoles') && (
          <AddOne
            title={t('user.addRole')}
            text={t('access.roleText')}
            searchLabel={t('user.findRole')}
            among={{ kind: 'roles', type: 'User' }}
            change={change}
            onChoose={({ id }, done) => put({ userRoleIds: [...rules.userRoleIds, id] }, done)}
          />
        )
      }
      removal={removal}
    />
  )
}

const Organizations = (props: RulesProps) => {
  const { rules, change, put } = props
  const named = [
    ...rules.organizationIds.map((id) => [id, undefined] as const),
    ...rules.organizationRoleRules.map(
      ({ organizationId, organizationRoleIds }) => [organizationId, organizationRoleIds] as const,
    ),
  ]
  const names = useAnswers(
    'getOrganization',
    named.slice(0, NAMED).map(([id]) => ({ params: { id } })),
  )
  const { data: roles = [] } = useAnswer('listOrganizationRoles', {}, rules.organizationRoleRules.length > 0)
  const without = (id: string) => ({
    organizationIds: rules.organizationIds.filter((each) => each !== id),
    organizationRoleRules: rules.organizationRoleRules.filter(({ organizationId }) => organizationId !== id),
  })
  const removal = useRemoval(props, (key) => without(key.split(' ')[0] ?? ''))
  return (
    <ItemList
      title={t('nav.organizations')}
      items={named.map(([id, roleIds], at) => ({
        id: `${id} ${roleIds ? 'roles' : ''}`,
        title: names[at]?.data?.name ?? id,
        detail: roleIds
          ? t('access.withRoles', {
              roles: roleIds.map((roleId) => roles.find((role) => role.id === roleId)?.name ?? roleId).join(', '),
            })
          : t('access.allMembers'),
      }))}
      error={undefined}
      none={t('access.noOrganizations')}
      actions={
        may('replaceAccessControl', 'listOrganizations') && (
          <AdmitOrganization
            change={change}
            onAdmit={(organizationId, organizationRoleIds, done) => {
              const kept = without(organizationId)
              put(
                organizationRoleIds.length === 0
                  ? { ...kept, organizationIds: [...kept.organizationIds, organizationId] }
                  : {
                      ...kept,
                      organizationRoleRules: [
                        ...kept.organizationRoleRules,
                        { organizationId, organizationRoleIds: [...organizationRoleIds] },
                      ],
                    },
                done,
              )
            }}
          />
        )
      }
      removal={removal}
    />
  )
}

interface AccessProps {
  readonly id: string
  readonly isSaml: boolean
  /** Whether only admitted users may use it. */
  readonly isLimited: boolean
}

export const Access = ({ id, isSaml, isLimited }: AccessProps) => {
  const { data: rules, error, refetch } = useAnswer('getAccessControl', { params: { applicationId: id } })
  const change = useChange('replaceAccessControl')
  const update = useChange(isSaml ? 'updateSamlApplication' : 'updateApplication')
  const [last, touch] = useState<'rules' | 'switch'>()
  if (error) return <ErrorState error={error} retry={refetch} />
  if (!rules) return <Loading />
  const isEmpty = Object.values(rules).every(({ length }) => length === 0)
  const limit = (isOn: boolean, isUndo = false) => {
    touch('switch')
    update.mutate(
      { params: { id }, body: { appLevelAccessControlEnabled: isOn } },
      { onSuccess: () => isUndo || notify(t('form.saved'), () => limit(!isOn, true)) },
    )
  }
  const put = (next: Partial<Rules>, done: () => void, by = change, isUndo = false) => {
    touch('rules')
    by.mutate(
      { params: { applicationId: id }, body: { ...rules, ...next } },
      {
        onSuccess: () => {
          done()
          if (!isUndo) notify(t('form.saved'), () => put(rules, () => undefined, by, true))
        },
      },
    )
  }
  const lists = { rules, change, put }
  return (
    <>
      <Card title={t('access.title')} text={t(isLimited ? 'access.limitedText' : 'access.openText')}>
        <div className="max-w-2xl">
          <SwitchRow
            label={t('access.limit')}
            text={t(isEmpty && !isLimited ? 'access.limitFirst' : 'access.limitText')}
            isOn={isLimited}
            onChange={(isOn) => limit(isOn)}
            isReadOnly={!may(isSaml ? 'updateSamlApplication' : 'updateApplication') || (isEmpty && !isLimited)}
          />
        </div>
        {last === 'switch' && update.error && <ErrorState error={update.error} />}
      </Card>
      <div className="grid grid-cols-1 items-start gap-x-4 lg:grid-cols-2">
        {may('getUser') && <Users {...lists} />}
        {may('getRole') && <Roles {...lists} />}
        {may('getOrganization') && <Organizations {...lists} />}
      </div>
    </>
  )
}
