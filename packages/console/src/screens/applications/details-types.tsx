/** The types of authorization details that an application may ask for (RFC 9396), by their APIs, and whether it manages grants. */
import { may, useAnswer, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { CheckRow } from '../../parts/check-row.tsx'
import { useForm } from '../../parts/form.ts'
import { idsOf, textOfIds } from '../../parts/id-set.ts'
import { SettingsCard } from '../../parts/settings-card.tsx'
import { ErrorState, Loading } from '../../parts/states.tsx'
import { SwitchRow } from '../../parts/switch-row.tsx'
import { notify } from '../../parts/toast.tsx'
import type { Application } from './kinds.ts'
import { metadataWith } from './metadata.ts'

export const DetailsTypes = ({ application }: { readonly application: Application }) => {
  const { id, customClientMetadata: stored } = application
  const form = useForm(`application.${id}.details`, {
    types: textOfIds(stored.authorizationDetailsTypes ?? []),
    grants: String(stored.grantManagement ?? false),
  })
  const { data: apis, error } = useAnswer('listResources', { query: { includeAuthorizationDetailsTypes: 'true' } })
  const update = useChange('updateApplication')
  const isReadOnly = !may('updateApplication')
  const chosen = idsOf(form.values.types)
  const known = (apis ?? []).flatMap(({ name, authorizationDetailsTypes = [] }) =>
    authorizationDetailsTypes.map(({ type, description }) => ({
      type,
      text: [name, description].filter(Boolean).join(': '),
    })),
  )
  const gone = [...idsOf(textOfIds(stored.authorizationDetailsTypes ?? []))].filter(
    (type) => !known.some((each) => each.type === type),
  )
  const rows = [...known, ...gone.map((type) => ({ type, text: apis ? t('details.gone') : undefined }))]
  const submit = () =>
    update.mutate(
      {
        params: { id },
        body: {
          customClientMetadata: metadataWith(application, {
            authorizationDetailsTypes: chosen.size > 0 ? [...chosen] : undefined,
            grantManagement: form.values.grants === 'true' ? true : undefined,
          }),
        },
      },
      {
        onSuccess: () => {
          form.reset()
          notify(t('form.saved'))
        },
      },
    )
  return (
    <SettingsCard
      title={t('details.ofApplication')}
      text={t(application.type === 'MachineToMachine' ? 'details.ofMachineText' : 'details.ofApplicationText')}
      form={form}
      change={update}
      isReadOnly={isReadOnly}
      onSubmit={submit}
    >
      {error ? (
        <ErrorState error={error} />
      ) : may('listResources') && !apis ? (
        <Loading lines={2} />
      ) : rows.length === 0 ? (
        <p className="text-soft">{t('details.noTypes')}</p>
      ) : (
        <fieldset aria-label={t('details.ofApplication')}>
          {rows.map(({ type, text }) => (
            <CheckRow
              key={type}
              label={type}
              text={text}
              isOn={chosen.has(type)}
              onChange={(isOn) =>
                form.set('types', textOfIds([...chosen].filter((each) => each !== type).concat(isOn ? type : [])))
              }
            />
          ))}
        </fieldset>
      )}
      {application.type === 'Traditional' && (
        <SwitchRow
          label={t('details.grants')}
          text={t('details.grantsText')}
          isOn={form.values.grants === 'true'}
          onChange={(isOn) => form.set('grants', String(isOn))}
          isReadOnly={isReadOnly}
        />
      )}
    </SettingsCard>
  )
}
