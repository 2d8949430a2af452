/** Which certificates of an identity provider count now, and a refusal that names those that have expired. */
import { certificateFacts } from '../../../kernel/certificates.ts'
import { XmlError } from '../../../kernel/xml.ts'
import { verifiedElement } from '../../../kernel/xml-signature.ts'
import { FederationFailure } from '../failure.ts'

/** Those that are valid now. */
export const currentCertificates = (certificates: readonly string[], now: Date): string[] =>
  certificates
    .flatMap((each) => certificateFacts(each) ?? [])
    .filter(({ validFrom, validUntil }) => validFrom <= now && now <= validUntil)
    .map(({ certificate }) => certificate)

/** A clause for each that is not valid now; empty where all are. */
export const outdated = (certificates: readonly string[], now: Date): string =>
  certificates
    .flatMap((each) => certificateFacts(each) ?? [])
    .filter(({ validFrom, validUntil }) => validFrom > now || now > validUntil)
    .map(({ fingerprint, validFrom, validUntil }) =>
      validFrom > now
        ? `; its certificate ${fingerprint} is not valid before ${validFrom.toISOString()}`
        : `; its certificate ${fingerprint} expired on ${validUntil.toISOString()}`,
    )
    .join('')

/** Does what may throw XmlError: that becomes a failure with its sentence. */
export const orFailure = async <T>(work: () => T | Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof XmlError)) throw error
    throw new FederationFailure('assertion', error.message, { cause: error })
  }
}

/** The element as it was signed by one of the certificates that are valid now. Throws FederationFailure. */
export const signedBy = (text: string, element: Element, certificates: readonly string[], now: Date): Element => {
  try {
    return verifiedElement(text, element, currentCertificates(certificates, now))
  } catch (error) {
    if (!(error instanceof XmlError)) throw error
    throw new FederationFailure('assertion', `${error.message}${outdated(certificates, now)}`, { cause: error })
  }
}
