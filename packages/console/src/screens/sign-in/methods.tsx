/** What users sign in and register with. */
import { t } from '../../languages/languages.ts'
import { Card } from '../../parts/page.tsx'
import { useReadOnly } from '../../parts/read-only.ts'
import { SelectField } from '../../parts/select.tsx'
import { SwitchRow } from '../../parts/switch-row.tsx'
import { MoreCard } from './more-card.tsx'
import type { Section } from './section.ts'
import { IDENTIFIERS, MODES, SECONDARY } from './settings.ts'

const Box = ({ label, name, values, set }: Section & { readonly label: string; readonly name: string }) => (
  <td className="py-2 text-center">
    <input
      type="checkbox"
      aria-label={label}
      checked={values[name] === 'true'}
      disabled={useReadOnly()}
      onChange={({ target }) => set(name, String(target.checked))}
      className="size-4 accent-accent-fill"
    />
  </td>
)

export const Methods = (section: Section) => {
  const { values, set } = section
  return (
    <>
      <Card title={t('signIn.methods')} text={t('signIn.methodsText')}>
        <table className="w-full">
          <thead>
            <tr className="border-line border-b text-soft text-xs">
              <th scope="col" className="py-1.5 text-start font-medium">
                {t('signIn.identifier')}
              </th>
              {(['password', 'code', 'register'] as const).map((each) => (
                <th key={each} scope="col" className="w-1/5 py-1.5 font-medium">
                  {t(`signIn.column.${each}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {IDENTIFIERS.map((name) => {
              const title = t(`users.${name}`)
              const label = (what: 'password' | 'code' | 'register') => `${title}: ${t(`signIn.column.${what}`)}`
              return (
                <tr key={name} className="border-line not-last:border-b">
                  <th scope="row" className="py-2 text-start font-medium">
                    {title}
                  </th>
                  <Box {...section} name={`password.${name}`} label={label('password')} />
                  {name === 'username' ? <td /> : <Box {...section} name={`code.${name}`} label={label('code')} />}
                  <Box {...section} name={`signUp.${name}`} label={label('register')} />
                </tr>
              )
            })}
          </tbody>
        </table>
        <div className="mt-2">
          {IDENTIFIERS.filter((name) => values[`password.${name}`] === 'true' && values[`code.${name}`] === 'true').map(
            (name) => (
              <SwitchRow
                key={name}
                label={t('signIn.codeFirst', { identifier: t(`users.${name}`) })}
                text={t('signIn.codeFirstText')}
                isOn={values[`codeFirst.${name}`] === 'true'}
                onChange={(isOn) => set(`codeFirst.${name}`, String(isOn))}
              />
            ),
          )}
        </div>
      </Card>
      <Card title={t('signIn.registration')}>
        <div className="mb-2">
          <SelectField
            label={t('signIn.mode')}
            value={values.signInMode ?? ''}
            choices={MODES.map((mode) => [mode, t(`signIn.mode.${mode}`)])}
            onChange={(next) => set('signInMode', next)}
          />
        </div>
        {(['password', 'verify'] as const).map((name) => (
          <SwitchRow
            key={name}
            label={t(`signIn.signUp.${name}`)}
            text={t(`signIn.signUp.${name}.hint`)}
            isOn={values[`signUp.${name}`] === 'true'}
            onChange={(isOn) => set(`signUp.${name}`, String(isOn))}
          />
        ))}
        <h3 className="mt-4 font-medium">{t('signIn.secondary')}</h3>
        <p className="mb-3 text-soft">{t('signIn.secondaryText')}</p>
        <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-1 xl:grid-cols-2">
          {SECONDARY.map((name) => (
            <SelectField
              key={name}
              label={t(name === 'emailOrPhone' ? 'signIn.emailOrPhone' : `users.${name}`)}
              value={values[`secondary.${name}`] ?? ''}
              choices={(['', 'ask', ...(name === 'username' ? [] : (['verify'] as const))] as const).map((each) => [
                each,
                t(`signIn.secondary.${each === '' ? 'no' : each}`),
              ])}
              onChange={(next) => set(`secondary.${name}`, next)}
            />
          ))}
        </div>
      </Card>
      <MoreCard name="names" section={section} />
      <MoreCard name="elsewhere" section={section} />
    </>
  )
}
