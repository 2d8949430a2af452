/** What a failed call means for a person: a sentence, the request id, and the member of the body that is at fault. */
import { ManagementApiError } from '@countersign/contract'
import { Unavailable } from '../session/authorization.ts'
import { isGatewayStatus } from './connection.ts'

export interface Failure {
  /** Of the error, as `role.name_in_use`. */
  readonly code: string | undefined
  readonly sentence: string | undefined
  readonly requestId: string | undefined
  /** The member that the server refused, as `oidcClientMetadata.redirectUris.0`. */
  readonly member: string | undefined
}

/** A change was sent and no answer came: it may have arrived. */
export class OutcomeUnknown extends Error {}

/** The sentence is at the end of the message of the client's error. */
const sentenceOf = ({ message, code }: ManagementApiError): string | undefined =>
  code === undefined ? undefined : message.slice(message.indexOf(`${code}: `) + code.length + 2)

/** @param error anything that a call threw */
export const failureOf = (error: unknown): Failure => {
  if (!(error instanceof ManagementApiError)) {
    return { code: undefined, sentence: undefined, requestId: undefined, member: undefined }
  }
  const sentence = sentenceOf(error)
  const path = /\bbody ?[./]([\w./]+)/.exec(sentence ?? '')?.[1]
  return { code: error.code, sentence, requestId: error.requestId, member: path?.replaceAll('/', '.') }
}

/** Whether a read got no answer in time. */
export const isTimeout = (error: unknown): boolean => error instanceof DOMException && error.name === 'TimeoutError'

/** Whether the request got no answer at all, or none in time. */
export const isOffline = (error: unknown): boolean =>
  error instanceof TypeError || error instanceof Unavailable || isTimeout(error)

/** Whether the same request may well succeed later: no answer, or that of a server which cannot serve now. */
export const isPassing = (error: unknown): boolean =>
  isOffline(error) || (error instanceof ManagementApiError && isGatewayStatus(error.status))
