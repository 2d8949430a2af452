/**
 * Signatures of XML elements, verified and made by `xml-crypto`. Stricter than the library: keys are those that the caller trusts,
 * algorithms are those of the lists here, and what is returned was parsed from the very bytes that were signed (SECURITY R-36).
 */
import type * as XmlCrypto from 'xml-crypto'
import { certificateFacts } from './certificates.ts'
import { lazyLibrary } from './lazy-library.ts'
import { childrenNamed, elementsOf, parseXml, textOf, XmlError } from './xml.ts'

const library = lazyLibrary<typeof XmlCrypto>('xml-crypto')

const DSIG = 'http://www.w3.org/2000/09/xmldsig#'
const ENVELOPED = `${DSIG}enveloped-signature`
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const INCLUSIVE = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'
const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'
const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256'

const SIGNATURES = [
  RSA_SHA256,
  'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
]
const DIGESTS = [SHA256, 'http://www.w3.org/2001/04/xmlenc#sha512']

/** Of prefixes that a canonicalization includes, in characters: each attribute is compared with all of them. */
const LONGEST_PREFIX_LIST = 512

/** Each is in a signature exactly once: the library looks for them by name, wherever they are. */
const ONCE = [
  'SignedInfo',
  'CanonicalizationMethod',
  'SignatureMethod',
  'Reference',
  'DigestMethod',
  'DigestValue',
  'SignatureValue',
]

const refuse = (sentence: string): never => {
  throw new XmlError(sentence)
}

const algorithmOf = (signature: Element, name: string): string => {
  const [element] = [...elementsOf(signature)].filter(({ localName }) => localName === name)
  return element?.getAttribute('Algorithm') ?? ''
}

const checkShape = (signature: Element, id: string): void => {
  const elements = [...elementsOf(signature)]
  for (const name of ONCE) {
    const [element, second] = elements.filter(({ localName }) => localName === name)
    if (!element || second || element.namespaceURI !== DSIG) refuse(`the signature does not have exactly one ${name}`)
  }
  const children = elements.filter(({ parentNode }) => parentNode === signature)
  if (children.some(({ localName }) => !['SignedInfo', 'SignatureValue', 'KeyInfo'].includes(localName)))
    refuse('the signature contains something else')
  const reference = elements.find(({ localName }) => localName === 'Reference')
  if (reference?.getAttribute('URI') !== `#${id}`) refuse('the signature is of another element')
  const values = elements.filter(({ localName }) => localName === 'SignatureValue' || localName === 'DigestValue')
  if (values.some((value) => textOf(value) === undefined)) refuse('a value of the signature is not text')
}

const checkAlgorithms = (signature: Element): void => {
  const [method, digest] = [algorithmOf(signature, 'SignatureMethod'), algorithmOf(signature, 'DigestMethod')]
  if (!SIGNATURES.includes(method)) refuse('the signature algorithm is not accepted')
  if (!DIGESTS.includes(digest)) refuse('the digest algorithm is not accepted')
  if (![EXCLUSIVE, INCLUSIVE].includes(algorithmOf(signature, 'CanonicalizationMethod')))
    refuse('the canonicalization is not accepted')
  if ([...elementsOf(signature)].some((each) => (each.getAttribute('PrefixList') ?? '').length > LONGEST_PREFIX_LIST))
    refuse('the canonicalization lists too many prefixes')
  const transforms = [...elementsOf(signature)]
    .filter(({ localName }) => localName === 'Transform')
    .map((transform) => transform.getAttribute('Algorithm'))
  if (transforms.join(' ') !== `${ENVELOPED} ${EXCLUSIVE}`) refuse('the transforms of the signature are not accepted')
}

const without = <T>(all: Record<string, T>, allowed: readonly string[]): Record<string, T> =>
  Object.fromEntries(Object.entries(all).filter(([name]) => allowed.includes(name)))

/** What the signature covers, in canonical form; undefined: it is not by this key. */
const signedBytes = (text: string, signature: Element, certificate: string): string | undefined => {
  const { SignedXml } = library()
  const signed = new SignedXml({ publicCert: certificate, getCertFromKeyInfo: () => null })
  signed.SignatureAlgorithms = without(signed.SignatureAlgorithms, SIGNATURES)
  signed.HashAlgorithms = without(signed.HashAlgorithms, DIGESTS)
  signed.CanonicalizationAlgorithms = without(signed.CanonicalizationAlgorithms, [ENVELOPED, EXCLUSIVE, INCLUSIVE])
  try {
    signed.loadSignature(signature)
    if (!signed.checkSignature(text)) return undefined
  } catch {
    // the library throws for a wrong value, and for whatever it does not understand
    return undefined
  }
  const references = signed.getSignedReferences()
  return references.length === 1 ? references[0] : undefined
}

/** Whether the element itself has a signature, valid or not. */
export const isSigned = (element: Element): boolean => childrenNamed(element, DSIG, 'Signature').length > 0

/**
 * The element as it was signed: parsed from the bytes that its own signature covers, so that nothing else can be read. Throws
 * XmlError, also where none of the certificates signed it. Certificates that a message brings with it are ignored, and so is the
 * time for which a certificate is valid.
 * @param text what the element's document was parsed from
 * @param certificates in PEM; those with other keys than RSA of 2048 bits or more are passed over
 */
export const verifiedElement = (text: string, element: Element, certificates: readonly string[]): Element => {
  const [signature, second] = childrenNamed(element, DSIG, 'Signature')
  if (!signature || second) return refuse('the element does not have exactly one signature')
  const id = element.getAttribute('ID') ?? ''
  if (!/^[A-Za-z_][\w.-]*$/.test(id)) refuse('the signed element has no usable ID')
  checkShape(signature, id)
  checkAlgorithms(signature)
  for (const certificate of certificates) {
    if (!certificateFacts(certificate)?.isUsable) continue
    const signed = signedBytes(text, signature, certificate)
    if (signed === undefined) continue
    const root = parseXml(signed).documentElement
    if (
      root.localName !== element.localName ||
      root.namespaceURI !== element.namespaceURI ||
      root.getAttribute('ID') !== id
    )
      refuse('the signature is of another element')
    return root
  }
  return refuse('the signature is not by a key that is trusted')
}

/**
 * Signs one element with RSA-SHA256, and puts the signature where SAML has it: behind the Issuer (saml-core, 5.4).
 * @param id of the element, one that this server made
 * @param privateKey in PEM, RSA
 * @param certificate in PEM; goes into the signature
 */
export const signedXml = (text: string, id: string, privateKey: string, certificate: string): string => {
  const { SignedXml } = library()
  const element = `//*[@ID='${id}']`
  const signed = new SignedXml({
    privateKey,
    publicCert: certificate,
    signatureAlgorithm: RSA_SHA256,
    canonicalizationAlgorithm: EXCLUSIVE,
  })
  signed.addReference({ xpath: element, transforms: [ENVELOPED, EXCLUSIVE], digestAlgorithm: SHA256 })
  signed.computeSignature(text, {
    prefix: 'ds',
    location: { reference: `${element}/*[local-name(.)='Issuer']`, action: 'after' },
  })
  return signed.getSignedXml()
}
