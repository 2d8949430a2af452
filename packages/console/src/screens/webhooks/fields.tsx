/** The fields of a webhook: name, address, events, headers, order. */
import { t } from '../../languages/languages.ts'
import { Field } from '../../parts/field.tsx'
import { errorAt } from '../../parts/form.ts'
import { ErrorState } from '../../parts/states.tsx'
import { SwitchRow } from '../../parts/switch-row.tsx'
import { EventChoice } from './event-choice.tsx'
import type { HookValues } from './hook.ts'

interface HookFieldsProps {
  readonly values: HookValues
  readonly set: (name: keyof HookValues, value: string) => void
  readonly error: unknown
  /** Said at the address where it is missing. */
  readonly isUrlMissing?: boolean
  readonly isReadOnly: boolean
}

export const HookFields = ({ values, set, error, isUrlMissing = false, isReadOnly }: HookFieldsProps) => {
  const nameError = errorAt(error, 'name')
  const urlError = isUrlMissing
    ? t('form.required')
    : errorAt(error, 'config.url', 'hook.invalid_url', 'hook.insecure_url')
  const headersError = errorAt(error, 'config.headers', 'hook.reserved_header')
  const eventsError = errorAt(error, 'events', 'hook.missing_events')
  const isAtField = [nameError, urlError, headersError, eventsError].some((each) => each !== undefined)
  return (
    <div className="space-y-5">
      <Field
        name="url"
        label={t('webhooks.url')}
        value={values.url}
        onChange={(url) => set('url', url)}
        hint={t('webhooks.urlHint')}
        error={urlError}
        placeholder="https://receiver.example/webhooks"
        isMonospace
        isRequired
        isReadOnly={isReadOnly}
      />
      <Field
        name="name"
        label={t('applications.name')}
        value={values.name}
        onChange={(name) => set('name', name)}
        error={nameError}
        placeholder={t('webhooks.namePlaceholder')}
        isReadOnly={isReadOnly}
      />
      <EventChoice
        value={values.events}
        onChange={(events) => set('events', events)}
        error={eventsError}
        isReadOnly={isReadOnly}
      />
      <Field
        name="headers"
        label={t('webhooks.headers')}
        value={values.headers}
        onChange={(headers) => set('headers', headers)}
        hint={t('webhooks.headersHint')}
        error={headersError}
        placeholder="Authorization: Bearer …"
        rows={3}
        isMonospace
        isReadOnly={isReadOnly}
      />
      <SwitchRow
        label={t('webhooks.ordered')}
        text={t('webhooks.orderedText')}
        isOn={values.ordered === 'true'}
        onChange={(isOn) => set('ordered', String(isOn))}
      />
      {error !== null && error !== undefined && !isAtField && <ErrorState error={error} />}
    </div>
  )
}
