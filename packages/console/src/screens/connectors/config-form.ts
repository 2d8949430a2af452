/** The state of a form that holds a configuration: its values, what is wrong before it is sent, and the configuration itself. */
import { useState } from 'react'
import { t } from '../../languages/languages.ts'
import { useForm } from '../../parts/form.ts'
import { configOf, fieldsOf, textsOf } from './config-schema.ts'

/**
 * @param form names the draft @param stored what else the form holds
 * @param isPartial whether a configuration may lack what it needs
 */
export const useConfigForm = (
  form: string,
  schema: object,
  config: unknown,
  stored: Readonly<Record<string, string>>,
  isPartial = false,
) => {
  const fields = fieldsOf(schema)
  const secrets = fields.filter(({ isSecret }) => isSecret).map(({ path }) => path)
  const { values, set, isChanged, reset } = useForm<Readonly<Record<string, string>>>(
    form,
    { ...stored, ...textsOf(schema, config) },
    secrets,
  )
  const [isChecked, setChecked] = useState(false)
  const read = configOf(schema, values)
  const missing = isPartial ? [] : fields.filter(({ isRequired, path }) => isRequired && !values[path]?.trim())
  const wrong = new Map([
    ...missing.map(({ path }) => [path, t('form.required')] as const),
    ...[...read.unreadable].map((path) => [path, t('connectors.noJson')] as const),
  ])
  return {
    values,
    valueOf: (name: string) => values[name] ?? '',
    set,
    isChanged,
    reset,
    config: read.config,
    wrong: isChecked ? wrong : new Map<string, string>(),
    /** Whether it can be sent; from now on what is wrong is shown. */
    check: (): boolean => {
      setChecked(true)
      return wrong.size === 0
    },
  }
}
