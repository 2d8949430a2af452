/** The fields of a configuration: what is needed first, the rest behind a line that opens. */
import { ChevronRight } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { t } from '../../languages/languages.ts'
import { Field } from '../../parts/field.tsx'
import { errorAt } from '../../parts/form.ts'
import { Select } from '../../parts/select.tsx'
import { type ConfigField, groupsOf } from './config-schema.ts'

interface ConfigFieldsProps {
  readonly schema: object
  readonly values: Readonly<Record<string, string>>
  readonly set: (path: string, value: string) => void
  /** What the server refused. */
  readonly error: unknown
  /** What is wrong before it is sent, by path. */
  readonly wrong: ReadonlyMap<string, string>
}

const Choice = ({
  label,
  hint,
  children,
}: {
  readonly label: string
  readonly hint: string | undefined
  readonly children: ReactNode
}) => (
  <div>
    <div aria-hidden className="mb-1 font-medium">
      {label}
    </div>
    {children}
    {hint && <p className="mt-1 text-soft text-xs">{hint}</p>}
  </div>
)

/** One of them. */
const OneField = ({
  field,
  values,
  set,
  error,
  wrong,
}: Omit<ConfigFieldsProps, 'schema'> & { readonly field: ConfigField }) => {
  const { path, label, shape, hint, choices, isRequired, isSecret, placeholder } = field
  const value = values[path] ?? ''
  const put = (next: string) => set(path, next)
  if (shape === 'flag' || shape === 'choice') {
    const named =
      shape === 'flag'
        ? ([
            ['true', t('connectors.yes')],
            ['false', t('connectors.no')],
          ] as const)
        : choices.map((each) => [each, each] as const)
    return (
      <Choice label={label} hint={hint}>
        <Select label={label} value={value} choices={[['', t('connectors.default')], ...named]} onChange={put} />
      </Choice>
    )
  }
  return (
    <Field
      name={path}
      label={label}
      value={value}
      onChange={put}
      hint={shape === 'json' && !hint ? 'JSON' : hint}
      error={wrong.get(path) ?? errorAt(error, path)}
      isRequired={isRequired}
      isMonospace={shape !== 'number'}
      {...(placeholder === undefined ? {} : { placeholder })}
      {...(shape === 'text' || shape === 'json' ? { rows: 4 } : {})}
      {...(shape === 'number' ? { type: 'number' } : isSecret && shape === 'line' ? { type: 'password' } : {})}
    />
  )
}

/** Opened where something in it is set or wrong. */
const More = ({
  title,
  hint,
  isOpen,
  children,
}: {
  readonly title: string
  readonly hint?: string | undefined
  readonly isOpen: boolean
  readonly children: ReactNode
}) => {
  const id = useId()
  return (
    <details
      open={isOpen || undefined}
      className="group rounded-xl border border-line"
      aria-describedby={hint ? id : undefined}
    >
      <summary className="flex list-none items-center gap-2 rounded-xl px-4 py-2.5 font-medium hover:bg-hover">
        <ChevronRight
          size={15}
          aria-hidden
          className="transition-transform group-open:rotate-90 rtl:rotate-180 rtl:group-open:rotate-90"
        />
        {title}
      </summary>
      <div className="space-y-4 px-4 pt-2 pb-4">
        {hint && (
          <p id={id} className="text-soft">
            {hint}
          </p>
        )}
        {children}
      </div>
    </details>
  )
}

export const ConfigFields = ({ schema, ...rest }: ConfigFieldsProps) => {
  const { values, error, wrong } = rest
  const [top, ...groups] = groupsOf(schema)
  const isNeeded = ({ isRequired, isSecret }: ConfigField) => isRequired || isSecret
  const isTouched = (fields: readonly ConfigField[]) =>
    fields.some(({ path }) => (values[path] ?? '') !== '' || wrong.has(path) || errorAt(error, path) !== undefined)
  const shown = (fields: readonly ConfigField[]) =>
    fields.map((field) => <OneField key={field.path} field={field} {...rest} />)
  const optional = (top?.fields ?? []).filter((field) => !isNeeded(field))
  return (
    <>
      {shown((top?.fields ?? []).filter(isNeeded))}
      {groups.map(({ label = '', hint, fields }) => {
        const isWithSecret = fields.some(({ isSecret }) => isSecret)
        return (
          <More key={label} title={label} hint={hint} isOpen={isWithSecret || isTouched(fields)}>
            {shown(fields)}
          </More>
        )
      })}
      {optional.length > 0 && (
        <More title={t('connectors.optional')} isOpen={isTouched(optional)}>
          {shown(optional)}
        </More>
      )}
    </>
  )
}
