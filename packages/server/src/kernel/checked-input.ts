/** Validation errors in the form of the Management API: where, and why. */
import type { Validator } from 'typebox/compile'
import { ApiError } from './api-error.ts'

const MOST_ISSUES = 20

const issuesOf = (validator: Validator, value: unknown, base: string) =>
  validator
    .Errors(value)
    // a failed union reports itself again at its own path
    .filter(({ keyword }, _index, all) => keyword !== 'anyOf' || all.length === 1)
    .flatMap(({ instancePath, message, keyword, params }) =>
      keyword === 'required' && 'requiredProperties' in params
        ? params.requiredProperties.map((name) => ({ path: `${base}${instancePath}/${name}`, reason: 'is required' }))
        : [{ path: `${base}${instancePath}` || '/', reason: message }],
    )
    .slice(0, MOST_ISSUES)

/**
 * Throws 400 `guard.invalid_input` with every issue, by JSON pointer (RFC 6901), for a value that does not fit.
 * @param where what the value is a part of, `body`
 * @param base the pointer of the value within that
 */
export const checkInput = (validator: Validator, value: unknown, where: string, base = ''): void => {
  if (validator.Check(value)) return
  const issues = issuesOf(validator, value, base)
  const first = issues[0]
  throw new ApiError('guard.invalid_input', {
    reason: `${where} ${first?.path ?? ''} ${first?.reason ?? 'does not fit'}`,
    issues,
  })
}
