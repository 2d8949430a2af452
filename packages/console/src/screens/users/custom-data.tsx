/** The custom data of a user: an object that belongs to the tenant, edited as JSON. */
import { useState } from 'react'
import { type Answer, may, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Field } from '../../parts/field.tsx'
import { errorAt, useForm } from '../../parts/form.ts'
import { Card } from '../../parts/page.tsx'
import { SaveBar } from '../../parts/save-bar.tsx'
import { ErrorState } from '../../parts/states.tsx'
import { notify } from '../../parts/toast.tsx'

/** Undefined for what is no object in JSON. */
const objectOf = (text: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(text.trim() || '{}')
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

export const CustomData = ({ user }: { readonly user: Answer<'getUser'> }) => {
  const { values, set, isChanged, reset } = useForm(`user.${user.id}.data`, {
    customData: JSON.stringify(user.customData, null, 2),
  })
  const [isRefused, setRefused] = useState(false)
  const update = useChange('updateUser')
  const isReadOnly = !may('updateUser')
  const atField = isRefused ? t('claims.noObject') : errorAt(update.error, 'customData')
  const save = () => {
    const customData = objectOf(values.customData)
    setRefused(customData === undefined)
    if (customData === undefined) return
    update.mutate(
      { params: { userId: user.id }, body: { customData } },
      {
        onSuccess: () => {
          reset()
          notify(t('form.saved'))
        },
      },
    )
  }
  return (
    <Card title={t('user.customData')} text={t('user.customDataText')}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <Field
          name="customData"
          label="JSON"
          value={values.customData}
          onChange={(next) => set('customData', next)}
          error={atField}
          rows={Math.min(16, Math.max(4, values.customData.split('\n').length + 1))}
          isMonospace
          isReadOnly={isReadOnly}
        />
        {update.error && !atField && <ErrorState error={update.error} />}
        {isChanged && <SaveBar isChanged={isChanged} isBusy={update.isPending} onDiscard={reset} />}
      </form>
    </Card>
  )
}
