/** Requests of receivers: JSON bodies and the one parameter of the query. */
import type { Static, TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import type { Exchange } from '../../http/exchange.ts'
import { parseJsonBody } from '../../http/json-body.ts'
import { ApiError } from '../../kernel/api-error.ts'
import { checkInput } from '../../kernel/checked-input.ts'
import { OAuthError } from '../../kernel/oauth-error.ts'

/** RFC 6749 section 5.2 permits these characters in descriptions, and no others. */
const printable = (text: string): string => text.replace(/"/g, "'").replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?')

const asRequestError = (error: unknown): unknown =>
  error instanceof ApiError && error.status < 500
    ? new OAuthError(
        'invalid_request',
        printable(typeof error.data?.reason === 'string' ? error.data.reason : error.sentence),
        { status: error.status },
      )
    : error

/** Made at the first request: most installations have no receivers. */
const validators = new WeakMap<TSchema, Validator>()

const validatorOf = (schema: TSchema): Validator => {
  const known = validators.get(schema) ?? Compile(schema)
  validators.set(schema, known)
  return known
}

/** The JSON body of a request, which fits the schema. Throws OAuthError 400 that says what does not, 415 for another type. */
export const bodyOf = <S extends TSchema>({ body, headers }: Exchange, schema: S): Static<S> => {
  try {
    const value = parseJsonBody(body, headers['content-type'])
    checkInput(validatorOf(schema), value, 'the body')
    return value as Static<S>
  } catch (error) {
    throw asRequestError(error)
  }
}

/** `stream_id` of the query; undefined: it is not there. Throws OAuthError for one that is repeated. */
export const streamIdOf = ({ queryText }: Exchange): string | undefined => {
  const values = new URLSearchParams(queryText).getAll('stream_id')
  if (values.length > 1) throw new OAuthError('invalid_request', 'the parameter stream_id is repeated')
  return values[0]
}

/** The same, where it is required. */
export const requiredStreamId = (exchange: Exchange): string => {
  const id = streamIdOf(exchange)
  if (!id) throw new OAuthError('invalid_request', 'the parameter stream_id is missing')
  return id
}
