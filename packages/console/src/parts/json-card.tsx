/** A JSON object that is kept with a thing, to read and to change. */
import { useState } from 'react'
import { t } from '../languages/languages.ts'
import { Field } from './field.tsx'
import { useForm } from './form.ts'
import { SettingsCard } from './settings-card.tsx'
import { notify } from './toast.tsx'

type JsonObject = Record<string, unknown>

/** The object that a text is; undefined when it is none. */
const objectOf = (text: string): JsonObject | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined
  } catch {
    return undefined
  }
}

interface JsonCardProps {
  /** Names the draft. */
  readonly form: string
  readonly title: string
  readonly text: string
  readonly value: JsonObject
  readonly change: { readonly isPending: boolean; readonly error: unknown; readonly reset: () => void }
  readonly isReadOnly: boolean
  readonly onSave: (value: JsonObject, done: () => void) => void
}

export const JsonCard = ({ form: name, title, text, value, change, isReadOnly, onSave }: JsonCardProps) => {
  const form = useForm(name, { json: JSON.stringify(value, null, 2) })
  const [isRefused, refuse] = useState(false)
  const object = objectOf(form.values.json)
  return (
    <SettingsCard
      title={title}
      text={text}
      form={form}
      change={change}
      isReadOnly={isReadOnly}
      onSubmit={() => {
        refuse(object === undefined)
        if (object)
          onSave(object, () => {
            form.reset()
            notify(t('form.saved'))
          })
      }}
    >
      <Field
        name="json"
        label="JSON"
        value={form.values.json}
        onChange={(next) => form.set('json', next)}
        error={isRefused && object === undefined ? t('claims.noObject') : undefined}
        rows={6}
        isReadOnly={isReadOnly}
        isMonospace
      />
    </SettingsCard>
  )
}
