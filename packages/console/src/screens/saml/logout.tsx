/** Single logout: where the application is told that a session has ended, and answered when it ends one. */
import { t } from '../../languages/languages.ts'
import { Field } from '../../parts/field.tsx'
import { SelectField } from '../../parts/select.tsx'
import { SettingsCard } from '../../parts/settings-card.tsx'
import { useSettings } from './card.ts'
import { POST_BINDING, REDIRECT_BINDING, type SamlApplication } from './settings.ts'

const BINDINGS = [
  [POST_BINDING, 'HTTP-POST'],
  [REDIRECT_BINDING, 'HTTP-Redirect'],
] as const

export const SingleLogout = ({ application: { id, singleLogout } }: { readonly application: SamlApplication }) => {
  const { values, set, card, error, save } = useSettings(id, 'logout', {
    url: singleLogout?.url ?? '',
    binding: (singleLogout?.binding ?? POST_BINDING) as string,
    backChannelUrl: singleLogout?.backChannelUrl ?? '',
  })
  const backChannelUrl = values.backChannelUrl.trim()
  const isOfBackChannel = error !== undefined && backChannelUrl !== '' && error.includes(backChannelUrl)
  const submit = () =>
    save({
      singleLogout: values.url.trim()
        ? {
            url: values.url.trim(),
            binding: values.binding === REDIRECT_BINDING ? REDIRECT_BINDING : POST_BINDING,
            ...(backChannelUrl ? { backChannelUrl } : {}),
          }
        : null,
    })
  return (
    <SettingsCard
      title={t('saml.singleLogout')}
      text={t('saml.singleLogoutText')}
      {...card}
      isPlaced={error !== undefined}
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
        isMonospace
      />
      {values.url.trim() !== '' && (
        <>
          <SelectField
            label={t('saml.binding')}
            value={values.binding}
            choices={BINDINGS}
            onChange={(next) => set('binding', next)}
          />
          <Field
            name="backChannelUrl"
            label={t('saml.backChannelUrl')}
            hint={t('saml.backChannelUrlHint')}
            value={values.backChannelUrl}
            onChange={(next) => set('backChannelUrl', next)}
            error={isOfBackChannel ? error : undefined}
            isMonospace
          />
        </>
      )}
    </SettingsCard>
  )
}
