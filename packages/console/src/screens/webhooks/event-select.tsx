/** A choice of one type of event among all. */
import { EVENT_TYPES } from '@countersign/contract/events.ts'
import { t } from '../../languages/languages.ts'
import { Select } from '../../parts/select.tsx'

interface EventSelectProps {
  /** Undefined: all of them. */
  readonly value: string | undefined
  readonly onChange: (event: string | undefined) => void
}

export const EventSelect = ({ value, onChange }: EventSelectProps) => (
  <Select
    label={t('webhooks.event')}
    value={value ?? ''}
    choices={[['', t('webhooks.allEvents')], ...EVENT_TYPES.map((each) => [each, each] as const)]}
    onChange={(next) => onChange(next || undefined)}
  />
)
