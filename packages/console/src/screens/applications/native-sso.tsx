/** With which other applications of a device a Native one shares sign-ins (OpenID Connect Native SSO for Mobile Apps 1.0). */
import { may, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Field } from '../../parts/field.tsx'
import { useForm } from '../../parts/form.ts'
import { SettingsCard } from '../../parts/settings-card.tsx'
import { notify } from '../../parts/toast.tsx'
import type { Application } from './kinds.ts'
import { metadataWith } from './metadata.ts'

/** What the server takes as the name of a group; empty: none. */
const GROUP = /^[A-Za-z0-9._-]{0,64}$/

export const NativeSso = ({ application }: { readonly application: Application }) => {
  const { id, customClientMetadata: stored } = application
  const form = useForm(`application.${id}.native-sso`, { group: stored.nativeSsoGroup ?? '' })
  const update = useChange('updateApplication')
  const isReadOnly = !may('updateApplication')
  const group = form.values.group.trim()
  const isPossible = GROUP.test(group)
  const submit = () => {
    if (!isPossible) return
    update.mutate(
      {
        params: { id },
        body: { customClientMetadata: metadataWith(application, { nativeSsoGroup: group === '' ? undefined : group }) },
      },
      {
        onSuccess: () => {
          form.reset()
          notify(t('form.saved'))
        },
      },
    )
  }
  return (
    <SettingsCard
      title={t('nativeSso.title')}
      text={t('nativeSso.text')}
      form={form}
      change={update}
      isReadOnly={isReadOnly}
      onSubmit={submit}
    >
      <Field
        name="nativeSsoGroup"
        label={t('nativeSso.group')}
        hint={t('nativeSso.groupHint')}
        value={form.values.group}
        onChange={(next) => form.set('group', next)}
        error={isPossible ? undefined : t('nativeSso.groupError')}
        isReadOnly={isReadOnly}
      />
    </SettingsCard>
  )
}
