/** How the pages look and speak: colours, logos, language, links and terms. */
import { t } from '../../languages/languages.ts'
import { ColorField } from '../../parts/color-field.tsx'
import { Field } from '../../parts/field.tsx'
import { Card } from '../../parts/page.tsx'
import { SelectField } from '../../parts/select.tsx'
import { SwitchRow } from '../../parts/switch-row.tsx'
import { MoreCard } from './more-card.tsx'
import type { Section } from './section.ts'
import { LINKS, PICTURES, TERMS_POLICIES } from './settings.ts'
import { StyleCard } from './style-card.tsx'

const COLORS = ['primaryColor', 'darkPrimaryColor'] as const
export const Look = (section: Section & { readonly languages: readonly (readonly [tag: string, name: string])[] }) => {
  const { values, set, errorOf, languages } = section
  return (
    <>
      <Card title={t('signIn.colors')}>
        <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-1 xl:grid-cols-2">
          {COLORS.map((name) => (
            <ColorField
              key={name}
              name={`color.${name}`}
              label={t(`signIn.${name}`)}
              value={values[`color.${name}`] ?? ''}
              onChange={(next) => set(`color.${name}`, next)}
              error={errorOf(`color.${name}`)}
            />
          ))}
        </div>
        <div className="mt-2">
          <SwitchRow
            label={t('signIn.darkMode')}
            text={t('signIn.darkModeText')}
            isOn={values['color.isDarkModeEnabled'] === 'true'}
            onChange={(isOn) => set('color.isDarkModeEnabled', String(isOn))}
          />
        </div>
      </Card>
      <Card title={t('signIn.logos')} text={t('signIn.logosText')}>
        <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-1 xl:grid-cols-2">
          {PICTURES.map((name) => (
            <Field
              key={name}
              name={`branding.${name}`}
              label={t(`signIn.${name}`)}
              value={values[`branding.${name}`] ?? ''}
              onChange={(next) => set(`branding.${name}`, next)}
              error={errorOf(`branding.${name}`)}
              type="url"
              placeholder="https://"
            />
          ))}
        </div>
      </Card>
      <Card title={t('signIn.language')}>
        <SelectField
          label={t('signIn.fallbackLanguage')}
          value={values['languageInfo.fallbackLanguage'] ?? ''}
          choices={languages}
          onChange={(next) => set('languageInfo.fallbackLanguage', next)}
        />
        <div className="mt-2">
          <SwitchRow
            label={t('signIn.autoDetect')}
            text={t('signIn.autoDetectText')}
            isOn={values['languageInfo.autoDetect'] === 'true'}
            onChange={(isOn) => set('languageInfo.autoDetect', String(isOn))}
          />
        </div>
      </Card>
      <Card title={t('signIn.terms')}>
        <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-1 xl:grid-cols-2">
          {LINKS.map((name) => (
            <Field
              key={name}
              name={name}
              label={t(`signIn.${name}`)}
              value={values[name] ?? ''}
              onChange={(next) => set(name, next)}
              error={errorOf(name)}
              type={name === 'supportEmail' ? 'email' : 'url'}
            />
          ))}
        </div>
        <div className="mt-4">
          <SelectField
            label={t('signIn.agree')}
            value={values.agreeToTermsPolicy ?? ''}
            choices={TERMS_POLICIES.map((policy) => [policy, t(`signIn.agree.${policy}`)])}
            onChange={(next) => set('agreeToTermsPolicy', next)}
          />
        </div>
      </Card>
      <StyleCard {...section} />
      <MoreCard name="developers" section={section} />
    </>
  )
}
