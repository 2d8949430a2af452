/** Where an application is told that a session has ended (OpenID Connect Back-Channel Logout). */
import { may, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Field } from '../../parts/field.tsx'
import { errorAt, useForm } from '../../parts/form.ts'
import { SettingsCard } from '../../parts/settings-card.tsx'
import { notify } from '../../parts/toast.tsx'
import type { Application } from './kinds.ts'

export const SignOut = ({ application: { id, oidcClientMetadata: stored } }: { readonly application: Application }) => {
  const form = useForm(`application.${id}.sign-out`, {
    uri: stored.backchannelLogoutUri ?? '',
  })
  const { values, set, reset } = form
  const update = useChange('updateApplication')
  const isReadOnly = !may('updateApplication')
  const uriError = errorAt(update.error, 'oidcClientMetadata.backchannelLogoutUri')
  const submit = () =>
    update.mutate(
      {
        params: { id },
        body: {
          oidcClientMetadata: { backchannelLogoutUri: values.uri.trim() },
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
    <SettingsCard
      title={t('signOut.title')}
      text={t('signOut.text')}
      form={form}
      change={update}
      isPlaced={uriError !== undefined}
      isReadOnly={isReadOnly}
      onSubmit={submit}
    >
      <Field
        name="backchannelLogoutUri"
        label={t('signOut.uri')}
        hint={t('signOut.uriHint')}
        value={values.uri}
        onChange={(next) => set('uri', next)}
        error={uriError}
        placeholder="https://app.example.com/backchannel-logout"
        isReadOnly={isReadOnly}
        isMonospace
      />
    </SettingsCard>
  )
}
