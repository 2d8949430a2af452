/** What a failed call means for a person: a sentence, the request id, and the member of the body that is at fault. */
import { ManagementApiError } from '@countersign/contract'
import { errorText, issueText } from '../languages/errors.ts'
import { Unavailable } from '../session/authorization.ts'
import { isGatewayStatus } from './connection.ts'

export interface Failure {
  /** Of the error, as `role.name_in_use`. */
  readonly code: string | undefined
  /** In the language of the console where it has a phrase for the error, else in English. */
  readonly sentence: string | undefined
  /** The same for the field of the member: without its name. */
  readonly atField: string | undefined
  readonly requestId: string | undefined
  /** What the error says beside its sentence. */
  readonly data: ManagementApiError['data']
  /** The first member that the server refused, as `oidcClientMetadata.redirectUris.0`. */
  readonly member: string | undefined
}

/** A change was sent and no answer came: it may have arrived. */
export class OutcomeUnknown extends Error {}

/** The sentence is at the end of the message of the client's error. */
const sentenceOf = ({ message, code }: ManagementApiError): string | undefined =>
  code === undefined ? undefined : message.slice(message.indexOf(`${code}: `) + code.length + 2)

/** With the pointer of what it is about: a member of the body, or a profile field by its name. */
const placed = (issue: Readonly<Record<string, unknown>>) => {
  const { path, field, part } = issue
  if (typeof path === 'string') return [{ ...issue, path }]
  if (typeof field !== 'string') return []
  return [{ ...issue, path: typeof part === 'string' ? `/${field}/${part}` : `/${field}` }]
}

/** What is wrong with members of the body, and only well-formed issues. */
const issuesOf = (
  data: ManagementApiError['data'],
): (Readonly<Record<string, unknown>> & { readonly path: string })[] =>
  (Array.isArray(data?.issues) ? (data.issues as unknown[]) : []).flatMap((issue) =>
    typeof issue === 'object' && issue !== null ? placed({ ...issue }) : [],
  )

/** What is wrong with the first member that was refused. Of alternatives none of which fits, those are named that have a value of their own. */
const firstIssue = (data: ManagementApiError['data']) => {
  const issues = issuesOf(data)
  const here = issues.filter(({ path }) => path === issues[0]?.path)
  const issue = here.find(({ code }) => code !== 'type') ?? here[0]
  if (issue?.code !== 'option') return issue
  return { ...issue, allowed: here.flatMap(({ allowed }) => (allowed === undefined ? [] : [allowed])).join(', ') }
}

const NOTHING: Failure = {
  code: undefined,
  sentence: undefined,
  atField: undefined,
  data: undefined,
  requestId: undefined,
  member: undefined,
}

/** @param error anything that a call threw */
export const failureOf = (error: unknown): Failure => {
  if (!(error instanceof ManagementApiError)) return NOTHING
  const { code, data, requestId } = error
  const english = sentenceOf(error)
  const issue = firstIssue(data)
  const member = issue?.path.slice(1).replaceAll('/', '.')
  const wrong = issue && issueText(issue)
  const sentence = (code && errorText(code, data)) ?? english
  if (wrong === undefined) return { code, sentence, atField: sentence, data, requestId, member }
  return { code, sentence: member ? `${member}: ${wrong}` : wrong, atField: wrong, data, requestId, member }
}

/** Whether a read got no answer in time. */
export const isTimeout = (error: unknown): boolean => error instanceof DOMException && error.name === 'TimeoutError'

/** Whether the request got no answer at all, or none in time. */
export const isOffline = (error: unknown): boolean =>
  error instanceof TypeError || error instanceof Unavailable || isTimeout(error)

/** Whether the same request may well succeed later: no answer, or that of a server which cannot serve now. */
export const isPassing = (error: unknown): boolean =>
  isOffline(error) || (error instanceof ManagementApiError && isGatewayStatus(error.status))
