/**
 * Authentication context classes: how strongly a user proved who they are (OpenID Connect Core section 2, `acr`; DECISIONS O4),
 * and what a request demands of it.
 */

/** One factor; several; several of which one cannot be phished. Discovery promises these, the weakest first. */
export const ACR_VALUES = ['urn:countersign:acr:1fa', 'urn:countersign:acr:mfa', 'urn:countersign:acr:phr'] as const
export type Acr = (typeof ACR_VALUES)[number]

/** The class of a sign-in. @param amr the methods of RFC 8176 */
export const acrOf = (amr: readonly string[]): Acr => {
  if (!amr.includes('mfa')) return 'urn:countersign:acr:1fa'
  return amr.includes('hwk') || amr.includes('swk') ? 'urn:countersign:acr:phr' : 'urn:countersign:acr:mfa'
}

/** More than one factor, which a request can demand. */
export type AcrDemand = Exclude<Acr, 'urn:countersign:acr:1fa'>

/** The first class of `acr_values` that we know: they are in order of preference (OpenID Connect Core section 3.1.2.1). */
export const firstKnownAcr = (acrValues: string | undefined): Acr | undefined =>
  acrValues?.split(' ').find((value): value is Acr => (ACR_VALUES as readonly string[]).includes(value))

/** What a request demands: the class that it names, where that is more than one factor. */
export const demandOf = (acr: string | undefined): AcrDemand | undefined => {
  const known = firstKnownAcr(acr)
  return known === 'urn:countersign:acr:1fa' ? undefined : known
}

/** Whether a sign-in is at least as strong as what is demanded. */
export const satisfies = (amr: readonly string[], demand: AcrDemand | undefined): boolean =>
  demand === undefined || ACR_VALUES.indexOf(acrOf(amr)) >= ACR_VALUES.indexOf(demand)

/**
 * `acr` of an ID token: the class of the sign-in; where the request lists classes and this is not among them, the strongest listed
 * one that the sign-in meets (OpenID Connect Core section 5.5.1.1).
 */
export const acrClaim = (amr: readonly string[], listed: readonly string[]): Acr => {
  const own = acrOf(amr)
  if (listed.includes(own)) return own
  return ACR_VALUES.slice(0, ACR_VALUES.indexOf(own)).findLast((value) => listed.includes(value)) ?? own
}
