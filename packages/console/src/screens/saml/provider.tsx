/** The application as a service provider: its names and addresses, what users are called there, and how a sign-in may start. */

import { failureOf } from '../../api/failure.ts'
import { t } from '../../languages/languages.ts'
import { AddressList } from '../../parts/address-list.tsx'
import { Field } from '../../parts/field.tsx'
import { errorAt } from '../../parts/form.ts'
import { SelectField } from '../../parts/select.tsx'
import { SettingsCard } from '../../parts/settings-card.tsx'
import { SwitchRow } from '../../parts/switch-row.tsx'
import { useSettings } from './card.ts'
import { NAME_ID_FORMATS, POST_BINDING, type SamlApplication } from './settings.ts'

export const Provider = ({ application }: { readonly application: SamlApplication }) => {
  const { id, entityId, acsUrl, otherAcsUrls, nameIdFormat, allowIdpInitiated } = application
  const { values, set, card, save } = useSettings(id, 'provider', {
    entityId: entityId ?? '',
    acsUrl: acsUrl?.url ?? '',
    otherAcsUrls: otherAcsUrls.join('\n'),
    nameIdFormat: nameIdFormat as string,
    allowIdpInitiated: String(allowIdpInitiated),
  })
  const { error } = card.change
  const others = values.otherAcsUrls
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const refused = errorAt(error, 'otherAcsUrls', 'application.saml.acs_url_scheme_not_supported')
  const refusedOther = refused === undefined ? -1 : others.indexOf(String(failureOf(error).data?.url))
  const acsError = refusedOther < 0 ? (errorAt(error, 'acsUrl') ?? refused) : undefined
  const entityError = errorAt(error, 'entityId')
  const submit = () =>
    save({
      entityId: values.entityId.trim() || null,
      acsUrl: values.acsUrl.trim() ? { binding: POST_BINDING, url: values.acsUrl.trim() } : null,
      otherAcsUrls: others,
      nameIdFormat: NAME_ID_FORMATS.find(([format]) => format === values.nameIdFormat)?.[0] ?? nameIdFormat,
      allowIdpInitiated: values.allowIdpInitiated === 'true',
    })
  return (
    <SettingsCard
      title={t('saml.provider')}
      text={t('saml.providerText')}
      {...card}
      isPlaced={[entityError, acsError].some((each) => each !== undefined) || refusedOther >= 0}
      onSubmit={submit}
    >
      <Field
        name="entityId"
        label={t('saml.entityId')}
        hint={t('saml.entityIdHint')}
        value={values.entityId}
        onChange={(next) => set('entityId', next)}
        error={entityError}
        placeholder="https://wiki.example.com/saml/metadata"
        isMonospace
      />
      <Field
        name="acsUrl"
        label={t('saml.acs')}
        hint={t('saml.acsHint')}
        value={values.acsUrl}
        onChange={(next) => set('acsUrl', next)}
        error={acsError}
        placeholder="https://wiki.example.com/saml/acs"
        isMonospace
      />
      <AddressList
        label={t('saml.otherAcs')}
        hint={t('saml.otherAcsHint')}
        value={values.otherAcsUrls}
        onChange={(next) => set('otherAcsUrls', next)}
        error={refusedOther < 0 || refused === undefined ? undefined : { at: refusedOther, sentence: refused }}
        isReadOnly={card.isReadOnly}
      />
      <div>
        <SelectField
          label={t('saml.nameId')}
          value={values.nameIdFormat}
          choices={NAME_ID_FORMATS.map(([format, name]) => [format, t(`saml.nameId.${name}`)])}
          onChange={(next) => set('nameIdFormat', next)}
        />
        <p className="mt-1 text-soft text-xs">
          {t(
            `saml.nameId.${NAME_ID_FORMATS.find(([format]) => format === values.nameIdFormat)?.[1] ?? 'persistent'}.hint`,
          )}
        </p>
      </div>
      <SwitchRow
        label={t('saml.idpInitiated')}
        text={t('saml.idpInitiatedText')}
        isOn={values.allowIdpInitiated === 'true'}
        onChange={(isOn) => set('allowIdpInitiated', String(isOn))}
      />
    </SettingsCard>
  )
}
