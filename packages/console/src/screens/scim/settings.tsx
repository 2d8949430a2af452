/** What a SCIM directory may do with users, and its end. */
import { useNavigate } from '@tanstack/react-router'
import { type Answer, may, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { DeleteCard } from '../../parts/delete-card.tsx'
import { Field } from '../../parts/field.tsx'
import { errorAt, useForm } from '../../parts/form.ts'
import { SettingsCard } from '../../parts/settings-card.tsx'
import { SwitchRow } from '../../parts/switch-row.tsx'
import { notify } from '../../parts/toast.tsx'

type Directory = Answer<'getScimDirectory'>
const FLAGS = ['isEnabled', 'linksUsers', 'restrictsDomains', 'deletesUsers'] as const

export const DirectorySettings = ({ directory }: { readonly directory: Directory }) => {
  const { id, name, emailDomains, isEnabled, linksUsers, restrictsDomains, deletesUsers } = directory
  const form = useForm(`directory.${id}`, {
    name,
    emailDomains: emailDomains.join('\n'),
    isEnabled: String(isEnabled),
    linksUsers: String(linksUsers),
    restrictsDomains: String(restrictsDomains),
    deletesUsers: String(deletesUsers),
  })
  const { values, set, reset } = form
  const update = useChange('updateScimDirectory')
  const remove = useChange('deleteScimDirectory')
  const navigate = useNavigate()
  const isReadOnly = !may('updateScimDirectory')
  const errorOf = (field: string) => errorAt(update.error, field)
  const submit = () =>
    update.mutate(
      {
        params: { id },
        body: {
          name: values.name.trim(),
          emailDomains: values.emailDomains
            .split('\n')
            .map((domain) => domain.trim())
            .filter(Boolean),
          ...Object.fromEntries(FLAGS.map((flag) => [flag, values[flag] === 'true'])),
        },
      },
      {
        onSuccess: () => {
          reset()
          notify(t('form.saved'))
        },
      },
    )
  return (
    <>
      <SettingsCard
        title={t('roles.general')}
        form={form}
        change={update}
        isPlaced={errorOf('name') !== undefined || errorOf('emailDomains') !== undefined}
        isReadOnly={isReadOnly}
        onSubmit={submit}
      >
        <Field
          name="name"
          label={t('apis.name')}
          value={values.name}
          onChange={(next) => set('name', next)}
          error={errorOf('name')}
          isReadOnly={isReadOnly}
        />
        <Field
          name="emailDomains"
          label={t('scim.domains')}
          hint={t('scim.domainsHint')}
          value={values.emailDomains}
          onChange={(next) => set('emailDomains', next)}
          error={errorOf('emailDomains')}
          placeholder="example.com"
          rows={3}
          isReadOnly={isReadOnly}
          isMonospace
        />
        <div>
          {FLAGS.map((flag) => (
            <SwitchRow
              key={flag}
              label={t(`scim.${flag}`)}
              text={t(`scim.${flag}.hint`)}
              isOn={values[flag] === 'true'}
              onChange={(isOn) => set(flag, String(isOn))}
              isReadOnly={isReadOnly}
            />
          ))}
        </div>
      </SettingsCard>
      {may('deleteScimDirectory') && (
        <DeleteCard
          title={t('scim.delete')}
          text={t('scim.deleteText')}
          name={name}
          change={remove}
          onDelete={() =>
            remove.mutate(
              { params: { id } },
              {
                onSuccess: () => {
                  notify(t('api.deleted', { name }))
                  void navigate({ to: '/scim' })
                },
              },
            )
          }
        />
      )}
    </>
  )
}
