/** The findings of checks in English: the sentences of the contract, which the server says too. */
import { OUTSIDE_FINDINGS, OUTSIDE_SUBJECTS } from '@countersign/contract/findings.ts'

/** By code: what was found (`found.`), and what was asked (`asked.`). */
export type Findings = Readonly<
  Record<`found.${keyof typeof OUTSIDE_FINDINGS}` | `asked.${keyof typeof OUTSIDE_SUBJECTS}`, string>
>

/** The server says them after their subject; here each stands alone. A place that it begins with stays as it is. */
const standing = (sentence: string): string => sentence.replace(/^[a-z]/, (letter) => letter.toUpperCase())

export const findings = Object.fromEntries([
  ...Object.entries(OUTSIDE_FINDINGS).map(([code, [, sentence]]) => [`found.${code}`, standing(sentence)]),
  ...Object.entries(OUTSIDE_SUBJECTS).map(([code, words]) => [`asked.${code}`, standing(words)]),
]) as Findings
