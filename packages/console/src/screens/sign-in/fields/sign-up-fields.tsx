/** Which fields of profiles new users are asked for. */
import { t } from '../../../languages/languages.ts'
import { Card } from '../../../parts/page.tsx'
import type { Section } from '../section.ts'
import { FieldChoice } from './field-choice.tsx'

export const SignUpFields = ({ values, set }: Section) => (
  <Card title={t('fields.asked')} text={t('fields.askedText')}>
    <FieldChoice
      label={t('fields.askedFor')}
      value={values.signUpProfileFields}
      onChange={(next) => set('signUpProfileFields', next)}
    />
  </Card>
)
