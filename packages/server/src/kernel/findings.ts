/** What a check found: a code of a table, the values of its places, and the English sentence with them. */
import type { Verdict } from '@countersign/contract/findings.ts'
import { filled } from './sentences.ts'

type Places<Sentence extends string> = Sentence extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Places<Rest>
  : never
/** By the name of each place of the sentence. */
type ValuesOf<Sentence extends string> = Readonly<Record<Places<Sentence>, string | number>>

export interface Found<Code extends string> {
  readonly verdict: Verdict
  readonly code: Code
  readonly values: Record<string, string | number>
  readonly text: string
}

/** Makes findings of a table; the values may be more than the sentence has places for. */
export const finderOf =
  <const Table extends Readonly<Record<keyof Table, readonly [Verdict, string]>>>(table: Table) =>
  <Code extends keyof Table & string>(code: Code, values: ValuesOf<Table[Code][1]>): Found<Code> => {
    const [verdict, sentence] = table[code]
    return { verdict, code, values: { ...values }, text: filled(sentence, values) }
  }
