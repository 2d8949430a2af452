/** The table of an application that says which tokens it may exchange for which (RFC 8693): a row of fields for each rule. */
import { t } from '../../languages/languages.ts'
import { CheckRow } from '../../parts/check-row.tsx'
import { Field } from '../../parts/field.tsx'
import { type FormRow, linesOf, listIn, RowList, rowsOf, textOfRows } from '../../parts/row-list.tsx'
import { SelectField } from '../../parts/select.tsx'
import type { Application } from './kinds.ts'

type Policy = NonNullable<Application['customClientMetadata']['exchangePolicies']>[number]

const SUBJECTS = ['access_token', 'subject_token', 'personal_access_token'] as const
const ACTORS = ['any', 'required', 'forbidden'] as const
const LISTS = ['subjectAudiences', 'subjectApplications', 'targetResources'] as const

/** The table as one field of a form. */
export const textOfPolicies = (policies: readonly Policy[] = []): string =>
  textOfRows(
    policies.map((policy) => ({
      name: policy.name,
      effect: policy.effect,
      actor: policy.actor ?? 'any',
      subjects: (policy.subjects ?? []).join('\n'),
      ...Object.fromEntries(LISTS.map((list) => [list, (policy[list] ?? []).join('\n')])),
      // an empty list allows none
      scopes: (policy.scopes ?? []).join(' '),
      limitsScopes: String(policy.scopes !== undefined),
      maxLifetime: policy.maxLifetime === undefined ? '' : String(policy.maxLifetime),
    })),
  )

const policyOf = (row: FormRow): Policy => {
  const isAllowed = row.effect !== 'deny'
  const actor = ACTORS.find((each) => each !== 'any' && each === row.actor)
  const subjects = SUBJECTS.filter((each) => linesOf(row.subjects).includes(each))
  return {
    name: row.name ?? '',
    effect: isAllowed ? 'allow' : 'deny',
    ...(subjects.length > 0 ? { subjects } : {}),
    ...(actor && actor !== 'any' ? { actor } : {}),
    ...Object.assign({}, ...LISTS.map((list) => listIn(list, row[list]))),
    ...(isAllowed && row.limitsScopes === 'true' ? { scopes: (row.scopes ?? '').split(' ').filter(Boolean) } : {}),
    ...(isAllowed && row.maxLifetime ? { maxLifetime: Number(row.maxLifetime) } : {}),
  }
}

/** The rows of the field; undefined: there is no table. */
export const policiesOf = (text: string): Policy[] | undefined => {
  const rows = rowsOf(text)
  return rows.length > 0 ? rows.map(policyOf) : undefined
}

interface ExchangeTableProps {
  readonly value: string
  readonly onChange: (value: string) => void
}

export const ExchangeTable = ({ value, onChange }: ExchangeTableProps) => (
  <RowList
    label={t('exchange.policies')}
    hint={t('exchange.policiesHint')}
    addLabel={t('exchange.addRow')}
    value={value}
    onChange={onChange}
    blank={{ name: '', effect: 'allow', actor: 'any', limitsScopes: 'false' }}
    isOrdered
  >
    {(row, set) => (
      <>
        <Field
          name="name"
          label={t('applications.name')}
          value={row.name ?? ''}
          onChange={(name) => set({ name })}
          isRequired
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField
            label={t('exchange.effect')}
            value={row.effect ?? 'allow'}
            choices={[
              ['allow', t('explain.allow')],
              ['deny', t('explain.deny')],
            ]}
            onChange={(effect) => set({ effect })}
          />
          <SelectField
            label={t('exchange.actor')}
            value={row.actor ?? 'any'}
            choices={ACTORS.map((each) => [each, t(`exchange.actor.${each}`)])}
            onChange={(actor) => set({ actor })}
          />
        </div>
        <fieldset aria-label={t('exchange.kinds')}>
          <p className="font-medium">{t('exchange.kinds')}</p>
          {SUBJECTS.map((each) => {
            const chosen = linesOf(row.subjects)
            const others = chosen.filter((one) => one !== each)
            return (
              <CheckRow
                key={each}
                label={t(`explain.by.${each}`)}
                isOn={chosen.includes(each)}
                onChange={(isOn) => set({ subjects: (isOn ? [...others, each] : others).join('\n') })}
              />
            )
          })}
        </fieldset>
        {LISTS.map((list) => (
          <Field
            key={list}
            name={list}
            label={t(`exchange.${list}`)}
            hint={t('rows.perLine')}
            value={row[list] ?? ''}
            onChange={(next) => set({ [list]: next })}
            rows={2}
            isMonospace
          />
        ))}
        {row.effect !== 'deny' && (
          <>
            <CheckRow
              label={t('exchange.limitsScopes')}
              isOn={row.limitsScopes === 'true'}
              onChange={(isOn) => set({ limitsScopes: String(isOn) })}
            />
            {row.limitsScopes === 'true' && (
              <Field
                name="scopes"
                label={t('explain.scope')}
                value={row.scopes ?? ''}
                onChange={(scopes) => set({ scopes })}
                placeholder="read:orders"
                isMonospace
              />
            )}
            <Field
              name="maxLifetime"
              type="number"
              label={t('exchange.maxLifetime')}
              value={row.maxLifetime ?? ''}
              onChange={(maxLifetime) => set({ maxLifetime })}
            />
          </>
        )}
      </>
    )}
  </RowList>
)
