/** What the properties of authorization details share: details that resemble one another, and which lists are within which. */
import fc from 'fast-check'

export type Detail = Readonly<Record<string, unknown>>

export const TYPE = 'transfer'
const detail = (to: string, value: string, more: Detail = {}): Detail => ({
  type: TYPE,
  amount: { value, currency: 'EUR' },
  to,
  ...more,
})
/** Two of them are equal: that many transfers are approved. */
export const TRANSFERS = [
  detail('A', '1.00'),
  detail('A', '1.00'),
  detail('B', '2.00', { days: [1, 2], note: null }),
  detail('B', '20.00'),
]

/** Equal for objects that differ in the order of their members only. */
export const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`).join()}}`
}

/** Whether each that is asked for was approved, as often. */
export const isWithin = (approved: readonly Detail[], asked: readonly Detail[]): boolean => {
  const left = approved.map(canonical)
  return asked.map(canonical).every((each) => {
    const found = left.indexOf(each)
    if (found >= 0) left.splice(found, 1)
    return found >= 0
  })
}

const reversed = (value: Detail): Detail => Object.fromEntries(Object.entries(value).reverse())
const own = fc.constantFrom(...TRANSFERS)
const changed = fc.tuple(
  own,
  fc.constantFrom<(each: Detail) => Detail>(
    (each) => ({ ...each, amount: { value: '20.00', currency: 'EUR' } }),
    (each) => ({ ...each, amount: { value: '2', currency: 'EUR' } }),
    (each) => ({ ...each, amount: ['2.00', 'EUR'] }),
    (each) => ({ ...each, to: 'B' }),
    (each) => ({ ...each, days: [2, 1] }),
    (each) => ({ ...each, note: false }),
    (each) => ({ ...each, locations: ['https://elsewhere.example'] }),
    ({ to: _to, ...rest }) => rest,
    ({ note: _note, ...rest }) => rest,
    (each) => ({ ...each, type: 'other' }),
  ),
)

/** What a request may name of them, and what it may not. */
export const askedOfTransfers = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: own },
    { weight: 2, arbitrary: own.map(reversed) },
    { weight: 1, arbitrary: changed.map(([each, change]) => change(each)) },
  ),
  { maxLength: 5 },
)
