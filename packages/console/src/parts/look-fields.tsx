/** Colours and logos of one application or organization, over those of the tenant: an empty field takes the tenant's. */
import { useAnswer } from '../api/client.ts'
import { t } from '../languages/languages.ts'
import { ColorField } from './color-field.tsx'
import { Field } from './field.tsx'
import { SelectField } from './select.tsx'

const PICTURES = ['logoUrl', 'darkLogoUrl', 'favicon', 'darkFavicon'] as const
const COLORS = ['primaryColor', 'darkPrimaryColor'] as const
const DARK_MODES = ['', 'true', 'false'] as const

export interface Colors {
  readonly primaryColor?: string
  readonly darkPrimaryColor?: string
  readonly isDarkModeEnabled?: boolean
}
export type Branding = { readonly [Name in (typeof PICTURES)[number]]?: string }
export type LookValues = Readonly<Record<(typeof PICTURES)[number] | keyof Colors, string>>

export const valuesOfLook = (color: Colors, branding: Branding): LookValues => ({
  primaryColor: color.primaryColor ?? '',
  darkPrimaryColor: color.darkPrimaryColor ?? '',
  isDarkModeEnabled: String(color.isDarkModeEnabled ?? ''),
  logoUrl: branding.logoUrl ?? '',
  darkLogoUrl: branding.darkLogoUrl ?? '',
  favicon: branding.favicon ?? '',
  darkFavicon: branding.darkFavicon ?? '',
})

const given = (values: LookValues, names: readonly (keyof LookValues)[]) =>
  Object.fromEntries(names.flatMap((name) => (values[name].trim() === '' ? [] : [[name, values[name].trim()]])))

export const colorsOf = (values: LookValues): Colors => ({
  ...given(values, COLORS),
  ...(values.isDarkModeEnabled === '' ? {} : { isDarkModeEnabled: values.isDarkModeEnabled === 'true' }),
})

export const brandingOf = (values: LookValues): Branding => given(values, PICTURES)

interface LookFieldsProps {
  readonly values: LookValues
  readonly set: (name: keyof LookValues, value: string) => void
  readonly errorOf: (name: string) => string | undefined
  readonly isReadOnly: boolean
}

export const LookFields = ({ values, set, errorOf, isReadOnly }: LookFieldsProps) => {
  const { data: tenant } = useAnswer('getSignInExperience', {})
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-1 xl:grid-cols-2">
        {COLORS.map((name) => (
          <ColorField
            key={name}
            name={name}
            label={t(`signIn.${name}`)}
            value={values[name]}
            onChange={(next) => set(name, next)}
            error={errorOf(`color.${name}`)}
            placeholder={tenant?.color[name]}
            isReadOnly={isReadOnly}
          />
        ))}
      </div>
      <SelectField
        label={t('signIn.darkMode')}
        value={values.isDarkModeEnabled}
        choices={DARK_MODES.map((each) => [each, t(`look.dark.${each || 'tenant'}`)])}
        onChange={(next) => set('isDarkModeEnabled', next)}
        isReadOnly={isReadOnly}
      />
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-1 xl:grid-cols-2">
        {PICTURES.map((name) => (
          <Field
            key={name}
            name={name}
            label={t(`signIn.${name}`)}
            value={values[name]}
            onChange={(next) => set(name, next)}
            error={errorOf(name)}
            type="url"
            placeholder="https://"
            isReadOnly={isReadOnly}
          />
        ))}
      </div>
    </>
  )
}
