/** APIs by their indicators: any, or only those that are ticked. */
import { useAnswer } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { CheckRow } from '../../parts/check-row.tsx'
import { SelectField } from '../../parts/select.tsx'

const ANY = '*'

/** As one field of a form: `*`, or a line for each. @param indicators undefined: any */
export const textOfApis = (indicators: readonly string[] | undefined): string => indicators?.join('\n') ?? ANY

/** Undefined: any. */
export const apisOf = (text: string): string[] | undefined =>
  text === ANY ? undefined : text.split('\n').filter(Boolean)

interface ApiChoiceProps {
  readonly label: string
  readonly anyTitle: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly isReadOnly: boolean
}

export const ApiChoice = ({ label, anyTitle, value, onChange, isReadOnly }: ApiChoiceProps) => {
  const { data: apis = [] } = useAnswer('listResources', { query: {} })
  const chosen = apisOf(value)
  const known = apis.map(({ indicator, name }) => [indicator, name] as const)
  const others = (chosen ?? []).filter((indicator) => !apis.some((api) => api.indicator === indicator))
  return (
    <div>
      <SelectField
        label={label}
        value={chosen === undefined ? 'any' : 'only'}
        choices={[
          ['any', anyTitle],
          ['only', t('exchange.only')],
        ]}
        onChange={(mode) => onChange(mode === 'any' ? ANY : '')}
        isReadOnly={isReadOnly}
      />
      {chosen && (
        <fieldset aria-label={label} className="mt-2">
          {[...known, ...others.map((indicator) => [indicator, indicator] as const)].map(([indicator, name]) => (
            <CheckRow
              key={indicator}
              label={name}
              text={name === indicator ? undefined : indicator}
              isOn={chosen.includes(indicator)}
              isReadOnly={isReadOnly}
              onChange={(isOn) =>
                onChange(textOfApis(isOn ? [...chosen, indicator] : chosen.filter((each) => each !== indicator)))
              }
            />
          ))}
          {known.length + others.length === 0 && <p className="text-soft">{t('apis.none')}</p>}
        </fieldset>
      )}
    </div>
  )
}
