/** What the check of a provider can find: the findings of the contract, with their sentences. */
import { PROVIDER_FINDINGS } from '@countersign/contract/findings.ts'
import { type Found, finderOf } from '../../kernel/findings.ts'

export type ProviderCheck = Found<keyof typeof PROVIDER_FINDINGS>

/** A finding by its code and values. */
export const foundOfProvider = finderOf(PROVIDER_FINDINGS)
