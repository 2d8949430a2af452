import { GuardError } from './guard-error.ts'

/** The error of an invalid option: a programming mistake, reported in plain words, answered with 500. */
export const misconfigured = (detail: string, cause?: unknown): GuardError =>
  new GuardError('configuration_invalid', cause === undefined ? { detail } : { detail, cause })
