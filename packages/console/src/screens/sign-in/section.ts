/** What each tab of the screen gets: the values of the form, a way to change one, and the server's refusal of one. */
import type { Values } from './settings.ts'

export interface Section {
  readonly values: Values
  readonly set: (name: string, value: string) => void
  /** @param name of a value; the server names it in its issues */
  readonly errorOf: (name: string) => string | undefined
}
