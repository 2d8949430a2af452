import { expect } from 'vitest'
import { GuardError, type GuardErrorCode } from '../src/index.ts'

/** Waits for a refusal with the code, and returns it. */
export async function refusedWith(
  code: GuardErrorCode,
  attempt: Promise<unknown> | (() => unknown),
): Promise<GuardError> {
  const error = await Promise.resolve()
    .then(() => (typeof attempt === 'function' ? attempt() : attempt))
    .then(
      (value) => expect.fail(`accepted: ${JSON.stringify(value)}`),
      (reason: unknown) => reason,
    )
  expect(error).toBeInstanceOf(GuardError)
  const refused = error as GuardError
  expect(refused.code, refused.message).toBe(code)
  return refused
}
