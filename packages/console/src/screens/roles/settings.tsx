/** Name of a role, whether every new user gets it, and its end. */
import { useNavigate } from '@tanstack/react-router'
import { type Answer, may, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { DeleteCard } from '../../parts/delete-card.tsx'
import { NameForm } from '../../parts/name-form.tsx'
import { Card } from '../../parts/page.tsx'
import { ErrorState } from '../../parts/states.tsx'
import { SwitchRow } from '../../parts/switch-row.tsx'
import { notify } from '../../parts/toast.tsx'

type Role = Answer<'getRole'>

const Default = ({ role: { id, isDefault } }: { readonly role: Role }) => {
  const update = useChange('updateRole')
  const change = (next: boolean, isUndo = false) =>
    update.mutate(
      { params: { id }, body: { isDefault: next } },
      { onSuccess: () => isUndo || notify(t('form.saved'), () => change(!next, true)) },
    )
  return (
    <Card title={t('roles.default')}>
      <SwitchRow label={t('user.defaultRole')} text={t('roles.defaultText')} isOn={isDefault} onChange={change} />
      {update.error && <ErrorState error={update.error} />}
    </Card>
  )
}

export const RoleSettings = ({ role }: { readonly role: Role }) => {
  const { id, name, description, type } = role
  const update = useChange('updateRole')
  const remove = useChange('deleteRole')
  const navigate = useNavigate()
  return (
    <>
      <NameForm
        form={`role.${id}`}
        name={name}
        description={description}
        change={update}
        nameCodes={['role.name_in_use']}
        isReadOnly={!may('updateRole')}
        onSave={(body, done) => update.mutate({ params: { id }, body }, { onSuccess: done })}
      />
      {type === 'User' && may('updateRole') && <Default role={role} />}
      {may('deleteRole') && (
        <DeleteCard
          title={t('roles.delete')}
          text={t('roles.deleteText')}
          name={name}
          change={remove}
          onDelete={() =>
            remove.mutate(
              { params: { id } },
              {
                onSuccess: () => {
                  notify(t('api.deleted', { name }))
                  void navigate({ to: '/roles' })
                },
              },
            )
          }
        />
      )}
    </>
  )
}
