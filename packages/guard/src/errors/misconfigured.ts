import { GuardError } from './guard-error.ts'

/** The error of an option that cannot be used: the programmer's mistake, told in plain words, answered with 500. */
export const misconfigured = (detail: string, cause?: unknown): GuardError =>
  new GuardError('configuration_invalid', cause === undefined ? { detail } : { detail, cause })
