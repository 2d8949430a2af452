/** Which fields of profiles new users are asked for: all of them, or only some. */
import { useAnswer } from '../../../api/client.ts'
import { t } from '../../../languages/languages.ts'
import { CheckRow } from '../../../parts/check-row.tsx'
import { Card } from '../../../parts/page.tsx'
import { SelectField } from '../../../parts/select.tsx'
import type { Section } from '../section.ts'
import { ALL_FIELDS } from '../settings.ts'

const CHOICES = ['all', 'some'] as const

export const SignUpFields = ({ values, set }: Section) => {
  const { data: fields = [] } = useAnswer('listCustomProfileFields', {})
  const asked = values.signUpProfileFields ?? ALL_FIELDS
  const isAll = asked === ALL_FIELDS
  const names = isAll ? fields.map(({ name }) => name) : asked.split(' ').filter(Boolean)
  const put = (next: readonly string[]) => set('signUpProfileFields', next.join(' '))
  return (
    <Card title={t('fields.asked')} text={t('fields.askedText')}>
      <SelectField
        label={t('fields.askedFor')}
        value={isAll ? 'all' : 'some'}
        choices={CHOICES.map((each) => [each, t(`fields.asked.${each}`)])}
        onChange={(next) => (next === 'all' ? set('signUpProfileFields', ALL_FIELDS) : put(names))}
      />
      {!isAll && (
        <div className="mt-3">
          {fields.map(({ name, label }) => (
            <CheckRow
              key={name}
              label={label || name}
              isOn={names.includes(name)}
              onChange={(isOn) => put(isOn ? [...names, name] : names.filter((each) => each !== name))}
            />
          ))}
        </div>
      )}
    </Card>
  )
}
