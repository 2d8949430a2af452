/** How the sign-in pages look for an organization, over the settings of the tenant, beside the page as it would be. */
import { type Answer, may, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { errorAt, useForm } from '../../parts/form.ts'
import { brandingOf, colorsOf, LookFields, valuesOfLook } from '../../parts/look-fields.tsx'
import { SettingsCard } from '../../parts/settings-card.tsx'
import { notify } from '../../parts/toast.tsx'
import { LookPreview } from '../sign-in/look-preview.tsx'
import { StyleSheet } from '../sign-in/style-card.tsx'

export const OrganizationLook = ({ organization }: { readonly organization: Answer<'getOrganization'> }) => {
  const { id, color, branding } = organization
  const form = useForm(`organization.${id}.look`, {
    ...valuesOfLook(color, branding),
    customCss: organization.customCss ?? '',
  })
  const { values, set, reset } = form
  const update = useChange('updateOrganization')
  const errorOf = (field: string) => errorAt(update.error, field)
  const submit = () =>
    update.mutate(
      {
        params: { id },
        body: {
          color: colorsOf(values),
          branding: brandingOf(values),
          customCss: values.customCss.trim() ? values.customCss : null,
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
        text={t('organizations.lookText')}
        form={form}
        change={update}
        isPlaced={
          ['color', 'branding'].some((each) => errorOf(each)) || Object.keys(values).some((each) => errorOf(each))
        }
        isReadOnly={!may('updateOrganization')}
        onSubmit={submit}
      >
        <LookFields values={values} set={set} errorOf={errorOf} isReadOnly={!may('updateOrganization')} />
        <StyleSheet
          value={values.customCss}
          onChange={(css) => set('customCss', css)}
          error={errorOf('customCss')}
          isReadOnly={!may('updateOrganization')}
        />
      </SettingsCard>
      {may('previewPage', 'getSignInExperience') && (
        <div className="lg:sticky lg:top-4">
          <LookPreview color={colorsOf(values)} branding={brandingOf(values)} css={values.customCss} />
        </div>
      )}
    </div>
  )
}
