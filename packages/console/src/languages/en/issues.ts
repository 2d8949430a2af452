/** What can be wrong with a member of a request, in English, which the contract has. */
import { INPUT_ISSUES } from '@countersign/contract/input-issues.ts'
import type { IssuePhrases } from '../errors.ts'

export const issues: IssuePhrases = INPUT_ISSUES
