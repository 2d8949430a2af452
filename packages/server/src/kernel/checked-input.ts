/** Validation errors in the form of the Management API: where, and why. */
import type { InputIssue, InputIssueCode } from '@countersign/contract/input-issues.ts'
import type { Validator } from 'typebox/compile'
import { ApiError } from './api-error.ts'

const MOST_ISSUES = 20

interface SchemaError {
  readonly keyword: string
  readonly params: object
}

/** The keywords that say what is wrong by themselves, or with their limit. */
const CODES: Readonly<Record<string, InputIssueCode>> = {
  additionalProperties: 'unknown',
  boolean: 'unknown',
  format: 'pattern',
  maxItems: 'too_many',
  maxLength: 'too_long',
  maxProperties: 'too_many',
  maximum: 'too_large',
  minItems: 'too_few',
  minLength: 'too_short',
  minProperties: 'too_few',
  minimum: 'too_small',
  pattern: 'pattern',
  uniqueItems: 'duplicate',
}

/** Which issue it is, with its values; empty for what has no code of its own. */
const sayable = ({ keyword, params }: SchemaError): { readonly code?: InputIssueCode } => {
  if ('allowedValue' in params) return { code: 'option', ...{ allowed: String(params.allowedValue) } }
  if ('allowedValues' in params && Array.isArray(params.allowedValues))
    return { code: 'option', ...{ allowed: params.allowedValues.join(', ') } }
  if (keyword === 'format' && 'format' in params && params.format === 'email') return { code: 'email' }
  if (keyword === 'type' && 'type' in params) {
    const { type } = params
    return { code: type === 'integer' || type === 'number' ? type : 'type' }
  }
  const limit = 'limit' in params ? Number(params.limit) : undefined
  if ((keyword === 'minLength' || keyword === 'minItems') && limit === 1) return { code: 'empty' }
  const code = CODES[keyword]
  return code === undefined ? {} : { code, ...(limit === undefined ? {} : { limit }) }
}

const issuesOf = (validator: Validator, value: unknown, base: string): InputIssue[] =>
  validator
    .Errors(value)
    // a failed union reports itself again at its own path
    .filter(({ keyword }, _index, all) => keyword !== 'anyOf' || all.length === 1)
    .flatMap(({ instancePath, message, keyword, params }): InputIssue[] =>
      keyword === 'required' && 'requiredProperties' in params
        ? params.requiredProperties.map((name) => ({
            path: `${base}${instancePath}/${name}`,
            reason: 'is required',
            code: 'missing',
          }))
        : [{ path: `${base}${instancePath}` || '/', reason: message, ...sayable({ keyword, params }) }],
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
