/** Name of an organization, what it asks of its members, and its end. */
import { useNavigate } from '@tanstack/react-router'
import { type Answer, may, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { DeleteCard } from '../../parts/delete-card.tsx'
import { JsonCard } from '../../parts/json-card.tsx'
import { NameForm } from '../../parts/name-form.tsx'
import { Card } from '../../parts/page.tsx'
import { ErrorState } from '../../parts/states.tsx'
import { SwitchRow } from '../../parts/switch-row.tsx'
import { notify } from '../../parts/toast.tsx'

type Organization = Answer<'getOrganization'>

const Security = ({ organization }: { readonly organization: Organization }) => {
  const { id, isMfaRequired, isTrustedDeviceAllowed } = organization
  const update = useChange('updateOrganization')
  const change = (name: 'isMfaRequired' | 'isTrustedDeviceAllowed', next: boolean, isUndo = false) =>
    update.mutate(
      { params: { id }, body: { [name]: next } },
      { onSuccess: () => isUndo || notify(t('form.saved'), () => change(name, !next, true)) },
    )
  return (
    <Card title={t('user.tab.security')}>
      <SwitchRow
        label={t('organizations.mfa')}
        text={t('organizations.mfaText')}
        isOn={isMfaRequired}
        onChange={(next) => change('isMfaRequired', next)}
        isReadOnly={!may('updateOrganization')}
      />
      {isMfaRequired && (
        <SwitchRow
          label={t('organizations.trusted')}
          text={t('organizations.trustedText')}
          isOn={isTrustedDeviceAllowed}
          onChange={(next) => change('isTrustedDeviceAllowed', next)}
          isReadOnly={!may('updateOrganization')}
        />
      )}
      {update.error && <ErrorState error={update.error} />}
    </Card>
  )
}

export const OrganizationSettings = ({ organization }: { readonly organization: Organization }) => {
  const { id, name, description, customData } = organization
  const update = useChange('updateOrganization')
  const updateData = useChange('updateOrganization')
  const remove = useChange('deleteOrganization')
  const navigate = useNavigate()
  return (
    <>
      <NameForm
        form={`organization.${id}`}
        name={name}
        description={description ?? ''}
        change={update}
        nameCodes={[]}
        isReadOnly={!may('updateOrganization')}
        onSave={(values, done) =>
          update.mutate(
            { params: { id }, body: { name: values.name, description: values.description || null } },
            { onSuccess: done },
          )
        }
      />
      <Security organization={organization} />
      <JsonCard
        form={`organization.${id}.custom-data`}
        title={t('customData.title')}
        text={t('customData.text')}
        value={customData}
        change={updateData}
        isReadOnly={!may('updateOrganization')}
        onSave={(next, done) => updateData.mutate({ params: { id }, body: { customData: next } }, { onSuccess: done })}
      />
      {may('deleteOrganization') && (
        <DeleteCard
          title={t('organizations.delete')}
          text={t('organizations.deleteText')}
          name={name}
          change={remove}
          onDelete={() =>
            remove.mutate(
              { params: { id } },
              {
                onSuccess: () => {
                  notify(t('api.deleted', { name }))
                  void navigate({ to: '/organizations' })
                },
              },
            )
          }
        />
      )}
    </>
  )
}
