/** The findings of checks in English: the sentences of the contract, which the server says too. */
import { OUTSIDE_FINDINGS, OUTSIDE_SUBJECTS } from '@countersign/contract/findings.ts'

/** By code: what was found (`found.`), and what was asked (`asked.`). */
export type Findings = Readonly<
  Record<`found.${keyof typeof OUTSIDE_FINDINGS}` | `asked.${keyof typeof OUTSIDE_SUBJECTS}`, string>
>

export const findings = Object.fromEntries([
  ...Object.entries(OUTSIDE_FINDINGS).map(([code, [, sentence]]) => [`found.${code}`, sentence]),
  ...Object.entries(OUTSIDE_SUBJECTS).map(([code, words]) => [`asked.${code}`, words]),
]) as Findings
