/** Authentication context classes: how strongly a user proved who they are (OpenID Connect Core section 2, `acr`). */

/** `1`: with one factor; `2`: with several. Discovery lists these. */
export const ACR_VALUES = ['1', '2'] as const
export type Acr = (typeof ACR_VALUES)[number]

/** The class of a sign-in. @param amr the methods of RFC 8176; `mfa` says that there were several factors */
export const acrOf = (amr: readonly string[]): Acr => (amr.includes('mfa') ? '2' : '1')
