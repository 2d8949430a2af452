/** How long a secret is valid, in days. */
import { t } from '../languages/languages.ts'
import { SelectField } from './select.tsx'

const DAY_MS = 86_400_000
/** Of a secret that does not expire. */
export const FOREVER = '0'

/** When what is made now expires. */
export const expiryOf = (days: string): number | null => (days === FOREVER ? null : Date.now() + Number(days) * DAY_MS)

interface LifeFieldProps {
  readonly days: string
  readonly choices: readonly string[]
  readonly onChange: (days: string) => void
}

export const LifeField = ({ days, choices, onChange }: LifeFieldProps) => (
  <SelectField
    label={t('secrets.life')}
    value={days}
    choices={choices.map((each) => [each, each === FOREVER ? t('secrets.forever') : t('secrets.days', { days: each })])}
    onChange={onChange}
  />
)
