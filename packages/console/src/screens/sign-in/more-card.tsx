/** A card of settings that are told by their paths: switches, numbers, texts, lines and choices. */
import type { ReactNode } from 'react'
import { t } from '../../languages/languages.ts'
import { Field } from '../../parts/field.tsx'
import { Card } from '../../parts/page.tsx'
import { SelectField } from '../../parts/select.tsx'
import { SwitchRow } from '../../parts/switch-row.tsx'
import { CARDS, type CardName, CHOICES, type Path, shapeOf } from './more-settings.ts'
import type { Section } from './section.ts'

const isChoice = (path: Path): path is keyof typeof CHOICES => path in CHOICES

const Setting = ({ path, values, set, errorOf }: Section & { readonly path: Path }) => {
  const value = values[path] ?? ''
  const label = t(`signIn.${path}`)
  const hint = t(`signIn.${path}.hint`)
  const shape = shapeOf(path)
  const put = (next: string) => set(path, next)
  if (shape === 'flag')
    return <SwitchRow label={label} text={hint} isOn={value === 'true'} onChange={(isOn) => put(String(isOn))} />
  if (isChoice(path))
    return (
      <div className="py-3">
        <SelectField
          label={label}
          value={value}
          choices={CHOICES[path].map((each) => [
            each,
            t(`signIn.${path}.${each}` as 'signIn.forgotPasswordMethods.null'),
          ])}
          onChange={put}
        />
        <p className="mt-1 text-soft text-xs">{hint}</p>
      </div>
    )
  return (
    <div className="py-3">
      <Field
        name={path}
        label={label}
        value={value}
        onChange={put}
        hint={hint}
        error={errorOf(path)}
        {...(shape === 'number' ? { type: 'number' } : shape === 'lines' ? { rows: 3, isMonospace: true } : {})}
      />
    </div>
  )
}

/** Two numbers stand side by side. */
const rowsOf = (name: CardName): readonly (readonly Path[])[] => {
  const rows: Path[][] = []
  for (const path of CARDS[name]) {
    const last = rows.at(-1)
    const [first] = last ?? []
    if (last?.length === 1 && first && shapeOf(path) === 'number' && shapeOf(first) === 'number') last.push(path)
    else rows.push([path])
  }
  return rows
}

/** @param children what else the card shows, below the settings */
export const MoreCard = ({
  name,
  section,
  children,
}: {
  readonly name: CardName
  readonly section: Section
  readonly children?: ReactNode
}) => (
  <Card title={t(`signIn.card.${name}`)} text={t(`signIn.card.${name}.text`)}>
    <div className="-my-3">
      {rowsOf(name).map(([first, second]) =>
        first && second ? (
          <div key={first} className="grid gap-x-4 sm:grid-cols-2 lg:grid-cols-1 xl:grid-cols-2">
            <Setting path={first} {...section} />
            <Setting path={second} {...section} />
          </div>
        ) : (
          first && <Setting key={first} path={first} {...section} />
        ),
      )}
    </div>
    {children}
  </Card>
)
