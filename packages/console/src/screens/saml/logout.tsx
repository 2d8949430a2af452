/** Single logout: where the application is told that a session has ended, and answered when it ends one. */
import { may, useChange } from '../../api/client.ts'
import { failureOf } from '../../api/failure.ts'
import { t } from '../../languages/languages.ts'
import { Field } from '../../parts/field.tsx'
import { useForm } from '../../parts/form.ts'
import { SelectField } from '../../parts/select.tsx'
import { SettingsCard } from '../../parts/settings-card.tsx'
import { notify } from '../../parts/toast.tsx'
import { POST_BINDING, REDIRECT_BINDING, type SamlApplication } from './settings.ts'

const BINDINGS = [
  [POST_BINDING, 'HTTP-POST'],
  [REDIRECT_BINDING, 'HTTP-Redirect'],
] as const

export const SingleLogout = ({ application: { id, singleLogout } }: { readonly application: SamlApplication }) => {
  const form = useForm(`saml.${id}.logout`, {
    url: singleLogout?.url ?? '',
    binding: (singleLogout?.binding ?? POST_BINDING) as string,
    backChannelUrl: singleLogout?.backChannelUrl ?? '',
  })
  const { values, set, reset } = form
  const update = useChange('updateSamlApplication')
  const isReadOnly = !may('updateSamlApplication')
  const error = update.error ? failureOf(update.error).sentence : undefined
  const backChannelUrl = values.backChannelUrl.trim()
  const isOfBackChannel = error !== undefined && backChannelUrl !== '' && error.includes(backChannelUrl)
  const submit = () =>
    update.mutate(
      {
        params: { id },
        body: {
          singleLogout: values.url.trim()
            ? {
                url: values.url.trim(),
                binding: values.binding === REDIRECT_BINDING ? REDIRECT_BINDING : POST_BINDING,
                ...(backChannelUrl ? { backChannelUrl } : {}),
              }
            : null,
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
      title={t('saml.singleLogout')}
      text={t('saml.singleLogoutText')}
      form={form}
      change={update}
      isPlaced={error !== undefined}
      isReadOnly={isReadOnly}
      onSubmit={submit}
    >
      <Field
        name="logoutUrl"
        label={t('saml.logoutUrl')}
        hint={t('saml.logoutUrlHint')}
        value={values.url}
        onChange={(next) => set('url', next)}
        error={isOfBackChannel ? undefined : error}
        placeholder="https://wiki.example.com/saml/slo"
        isReadOnly={isReadOnly}
        isMonospace
      />
      {values.url.trim() !== '' && (
        <>
          <SelectField
            label={t('saml.binding')}
            value={values.binding}
            choices={BINDINGS}
            onChange={(next) => set('binding', next)}
            isReadOnly={isReadOnly}
          />
          <Field
            name="backChannelUrl"
            label={t('saml.backChannelUrl')}
            hint={t('saml.backChannelUrlHint')}
            value={values.backChannelUrl}
            onChange={(next) => set('backChannelUrl', next)}
            error={isOfBackChannel ? error : undefined}
            isReadOnly={isReadOnly}
            isMonospace
          />
        </>
      )}
    </SettingsCard>
  )
}
