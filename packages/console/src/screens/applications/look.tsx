/** How an application looks on the sign-in and consent pages, over the settings of the tenant, beside the page as it would be. */
import { type Answer, may, useAnswer, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Field } from '../../parts/field.tsx'
import { errorAt, useForm } from '../../parts/form.ts'
import { brandingOf, colorsOf, LookFields, type LookValues, valuesOfLook } from '../../parts/look-fields.tsx'
import { SettingsCard } from '../../parts/settings-card.tsx'
import { ErrorState, Loading } from '../../parts/states.tsx'
import { notify } from '../../parts/toast.tsx'
import { LookPreview } from '../sign-in/look-preview.tsx'
import { StyleSheet } from '../sign-in/style-card.tsx'
import type { Application } from './kinds.ts'

type Stored = Answer<'getApplicationSignInExperience'>
const LINKS = ['termsOfUseUrl', 'privacyPolicyUrl'] as const

const Form = ({ application, stored }: { readonly application: Application; readonly stored: Stored }) => {
  const { id, name, isThirdParty } = application
  const form = useForm<LookValues & Record<(typeof LINKS)[number] | 'displayName' | 'customCss', string>>(
    `application.${id}.look`,
    {
      ...valuesOfLook(stored.color, stored.branding),
      customCss: stored.customCss ?? '',
      displayName: stored.displayName ?? '',
      termsOfUseUrl: stored.termsOfUseUrl ?? '',
      privacyPolicyUrl: stored.privacyPolicyUrl ?? '',
    },
  )
  const { values, set, reset } = form
  const put = useChange('putApplicationSignInExperience')
  const isReadOnly = !may('putApplicationSignInExperience')
  const errorOf = (field: string) => errorAt(put.error, field)
  const isPlaced = [...LINKS, 'displayName', 'color', 'branding', 'customCss'].some((each) => errorOf(each))
  const submit = () =>
    put.mutate(
      {
        params: { applicationId: id },
        body: {
          color: colorsOf(values),
          branding: brandingOf(values),
          customCss: values.customCss.trim() ? values.customCss : null,
          displayName: values.displayName.trim() || null,
          termsOfUseUrl: values.termsOfUseUrl.trim() || null,
          privacyPolicyUrl: values.privacyPolicyUrl.trim() || null,
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
    <div className="grid grid-cols-1 items-start gap-x-6 lg:grid-cols-[minmax(0,1fr)_18rem] xl:grid-cols-[minmax(0,1fr)_26rem]">
      <SettingsCard
        title={t('look.title')}
        text={t('look.text')}
        form={form}
        change={put}
        isPlaced={isPlaced}
        isReadOnly={isReadOnly}
        onSubmit={submit}
      >
        <Field
          name="displayName"
          label={t('look.displayName')}
          hint={t('look.displayNameHint')}
          value={values.displayName}
          onChange={(next) => set('displayName', next)}
          error={errorOf('displayName')}
          placeholder={name}
          isReadOnly={isReadOnly}
        />
        <LookFields values={values} set={set} errorOf={errorOf} isReadOnly={isReadOnly} />
        <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-1 xl:grid-cols-2">
          {LINKS.map((each) => (
            <Field
              key={each}
              name={each}
              label={t(`signIn.${each}`)}
              value={values[each]}
              onChange={(next) => set(each, next)}
              error={errorOf(each)}
              type="url"
              placeholder="https://"
              isReadOnly={isReadOnly}
            />
          ))}
        </div>
        {isThirdParty ? (
          <p className="text-soft text-xs">{t('look.thirdParty')}</p>
        ) : (
          <StyleSheet
            value={values.customCss}
            onChange={(css) => set('customCss', css)}
            error={errorOf('customCss')}
            isReadOnly={isReadOnly}
          />
        )}
      </SettingsCard>
      {may('previewPage', 'getSignInExperience') && (
        <div className="lg:sticky lg:top-4">
          <LookPreview
            applicationName={values.displayName.trim() || name}
            color={colorsOf(values)}
            branding={brandingOf(values)}
            css={isThirdParty ? '' : values.customCss}
            links={
              isThirdParty ? {} : { termsOfUseUrl: values.termsOfUseUrl, privacyPolicyUrl: values.privacyPolicyUrl }
            }
          />
        </div>
      )}
    </div>
  )
}

export const ApplicationLook = ({ application }: { readonly application: Application }) => {
  const { data, error, refetch } = useAnswer('getApplicationSignInExperience', {
    params: { applicationId: application.id },
    query: { orEmpty: 'true' },
  })
  if (error) return <ErrorState error={error} retry={refetch} />
  return data ? <Form application={application} stored={data} /> : <Loading />
}
