/** Classes of authentication (saml2-core section 3.3.2.2.1): what a request demands of a sign-in, and what the assertion says of it. */
import { type Acr, acrOf } from '../domain/sign-in/acr.ts'
import {
  MFA_CLASS,
  MULTI_FACTOR_CLASSES,
  PASSWORD_CLASS,
  SINGLE_FACTOR_CLASSES,
  UNSPECIFIED_CLASS,
} from '../tokens/saml/names.ts'
import type { AuthnRequest } from '../tokens/saml/requests.ts'

const SEVERAL_FACTORS: Acr = 'urn:countersign:acr:mfa'

/**
 * The acr_values that meet what is asked for; undefined: any sign-in does. `impossible`: no class that is named is known here, or
 * something better than several factors is wanted.
 */
export const acrFor = (contexts: AuthnRequest['contexts']): Acr | 'impossible' | undefined => {
  if (!contexts || contexts.comparison === 'maximum') return undefined
  const isSingle = contexts.classes.some((each) => SINGLE_FACTOR_CLASSES.has(each))
  const isMulti = contexts.classes.some((each) => MULTI_FACTOR_CLASSES.has(each))
  if (contexts.comparison === 'better') return isSingle && !isMulti ? SEVERAL_FACTORS : 'impossible'
  if (isSingle) return undefined
  return isMulti ? SEVERAL_FACTORS : 'impossible'
}

/** The class of a sign-in: the first that was asked for and that it meets, or else what it was. @param amr as RFC 8176 */
export const classOf = (amr: readonly string[], asked: readonly string[] = []): string => {
  const isMulti = acrOf(amr) !== 'urn:countersign:acr:1fa'
  const met = asked.find((each) => SINGLE_FACTOR_CLASSES.has(each) || (isMulti && MULTI_FACTOR_CLASSES.has(each)))
  if (met !== undefined) return met
  if (isMulti) return MFA_CLASS
  return amr.includes('pwd') ? PASSWORD_CLASS : UNSPECIFIED_CLASS
}
