/** What protects accounts: second factors, and what passwords must be like. */
import { useId } from 'react'
import { t } from '../../languages/languages.ts'
import { Field, inputClass } from '../../parts/field.tsx'
import { Card } from '../../parts/page.tsx'
import { useReadOnly } from '../../parts/read-only.ts'
import { SelectField } from '../../parts/select.tsx'
import { SwitchRow } from '../../parts/switch-row.tsx'
import { MoreCard } from './more-card.tsx'
import type { Section } from './section.ts'
import { FACTORS, MFA_POLICIES, NOTICES, REJECTS } from './settings.ts'

const CLASSES = ['1', '2', '3', '4'] as const

export const Security = (section: Section) => {
  const isReadOnly = useReadOnly()
  const { values, set, errorOf } = section
  const wordsId = useId()
  return (
    <>
      <Card title={t('signIn.factors')} text={t('signIn.factorsText')}>
        <SelectField
          label={t('signIn.mfaPolicy')}
          value={values['mfa.policy'] ?? ''}
          choices={MFA_POLICIES.map((policy) => [policy, t(`signIn.mfa.${policy}`)])}
          onChange={(next) => set('mfa.policy', next)}
        />
        <div className="mt-2">
          {FACTORS.map((name) => (
            <SwitchRow
              key={name}
              label={t(`signIn.factor.${name}`)}
              text={t(`signIn.factor.${name}.hint`)}
              isOn={values[`factor.${name}`] === 'true'}
              onChange={(isOn) => set(`factor.${name}`, String(isOn))}
            />
          ))}
        </div>
      </Card>
      <MoreCard name="when" section={section} />
      <MoreCard name="passkeys" section={section} />
      <Card title={t('signIn.passwords')} text={t('signIn.passwordsText')}>
        <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-1 xl:grid-cols-2">
          {(['min', 'max'] as const).map((name) => (
            <Field
              key={name}
              name={`length.${name}`}
              type="number"
              label={t(`signIn.length.${name}`)}
              value={values[`length.${name}`] ?? ''}
              onChange={(next) => set(`length.${name}`, next)}
              error={errorOf(`passwordPolicy.length.${name}`)}
            />
          ))}
        </div>
        <div className="mt-4">
          <SelectField
            label={t('signIn.classes')}
            value={values['characterTypes.min'] ?? '1'}
            choices={CLASSES.map((count) => [count, t(`signIn.classes.${count}`)])}
            onChange={(next) => set('characterTypes.min', next)}
          />
        </div>
        <div className="mt-2">
          {REJECTS.map((name) => (
            <SwitchRow
              key={name}
              label={t(`signIn.rejects.${name}`)}
              text={t(`signIn.rejects.${name}.hint`)}
              isOn={values[`rejects.${name}`] === 'true'}
              onChange={(isOn) => set(`rejects.${name}`, String(isOn))}
            />
          ))}
        </div>
        <label htmlFor={wordsId} className="mt-3 mb-1 block font-medium">
          {t('signIn.words')}
        </label>
        <textarea
          id={wordsId}
          rows={3}
          value={values.words ?? ''}
          readOnly={isReadOnly}
          onChange={({ target }) => set('words', target.value)}
          className={inputClass}
          spellCheck={false}
        />
      </Card>
      <MoreCard name="resets" section={section} />
      <MoreCard name="guesses" section={section} />
      <MoreCard name="addresses" section={section} />
      <MoreCard name="notices" section={section}>
        <fieldset className="mt-3">
          <legend className="mb-2 font-medium">{t('signIn.noticeKinds')}</legend>
          <div className="grid gap-2 sm:grid-cols-2 lg:grid-cols-1 xl:grid-cols-2">
            {NOTICES.map((kind) => (
              <label key={kind} className="flex items-center gap-2">
                <input
                  type="checkbox"
                  checked={values[`notice.${kind}`] === 'true'}
                  disabled={isReadOnly}
                  onChange={({ target }) => set(`notice.${kind}`, String(target.checked))}
                  className="size-4 accent-accent-fill"
                />
                {t(`signIn.notice.${kind}`)}
              </label>
            ))}
          </div>
        </fieldset>
      </MoreCard>
    </>
  )
}
