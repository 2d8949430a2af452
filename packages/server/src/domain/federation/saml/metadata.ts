/** Metadata of identity providers (saml-metadata-2.0-os), read for what a sign-in needs. */
import { certificateFacts } from '../../../kernel/certificates.ts'
import { childrenNamed, elementsOf, parseXml, XmlError } from '../../../kernel/xml.ts'
import { FederationFailure } from '../failure.ts'
import { durationOf, instantOf } from './instants.ts'
import { DSIG, METADATA, POST_BINDING, PROTOCOL, REDIRECT_BINDING } from './names.ts'
import type { SamlEndpoints, SamlIdentityProvider } from './provider.ts'

/** Of a document: those of one provider are a tenth of it. */
export const MOST_METADATA_BYTES = 1024 * 1024

/** That an identity provider signs with: each is tried. */
const MOST_CERTIFICATES = 10

export interface SamlMetadata extends SamlIdentityProvider {
  /** Until when it may be used, in milliseconds since 1970. */
  readonly validUntil?: number
  /** How long it may be kept, in milliseconds. */
  readonly cacheDuration?: number
}

const failed = (sentence: string, cause?: unknown): never => {
  throw new FederationFailure('provider', `the metadata of the identity provider cannot be used: ${sentence}`, {
    cause,
  })
}

const isWeb = (address: string): boolean => ['http:', 'https:'].includes(URL.parse(address)?.protocol ?? '')

/** @param attribute with the address; Location where it is missing */
const endpoints = (descriptor: Element, name: string, attribute = 'Location'): SamlEndpoints => {
  const at = (binding: string) =>
    childrenNamed(descriptor, METADATA, name)
      .filter((service) => service.getAttribute('Binding') === binding)
      .map((service) => service.getAttribute(attribute) || service.getAttribute('Location') || '')
      .find(isWeb)
  const [redirect, post] = [at(REDIRECT_BINDING), at(POST_BINDING)]
  return { ...(redirect ? { redirect } : {}), ...(post ? { post } : {}) }
}

const certificatesOf = (descriptor: Element): string[] => {
  const keys = childrenNamed(descriptor, METADATA, 'KeyDescriptor').filter(
    (key) => (key.getAttribute('use') ?? 'signing') === 'signing' || key.getAttribute('use') === '',
  )
  const elements = keys
    .flatMap((key) => [...elementsOf(key)])
    .filter(({ localName, namespaceURI }) => localName === 'X509Certificate' && namespaceURI === DSIG)
  if (elements.length > MOST_CERTIFICATES)
    return failed(`it has more than ${MOST_CERTIFICATES} certificates for signing`)
  const found = elements
    .flatMap((element) => certificateFacts(element.textContent ?? '') ?? [])
    .filter(({ isUsable }) => isUsable)
    .map(({ certificate }) => certificate)
  return [...new Set(found)]
}

interface Entity {
  readonly entity: Element
  readonly descriptor: Element
}

/** The identity providers in a document, of which a federation has many. */
const entitiesIn = (root: Element): Entity[] =>
  [...elementsOf(root)]
    .filter(({ localName, namespaceURI }) => localName === 'EntityDescriptor' && namespaceURI === METADATA)
    .flatMap((entity) =>
      childrenNamed(entity, METADATA, 'IDPSSODescriptor')
        .filter((each) => (each.getAttribute('protocolSupportEnumeration') ?? '').split(/\s+/).includes(PROTOCOL))
        .slice(0, 1)
        .map((descriptor) => ({ entity, descriptor })),
    )

const parsed = (xml: string): Element => {
  try {
    return parseXml(xml, { mostBytes: MOST_METADATA_BYTES, comments: 'removed' }).documentElement
  } catch (error) {
    if (!(error instanceof XmlError)) throw error
    return failed(error.message, error)
  }
}

/**
 * What a document says about an identity provider. Its signature is not checked: the document is as trustworthy as where it came
 * from. Throws FederationFailure.
 * @param entityId which one, of a document with several
 */
export const readSamlMetadata = (xml: string, now: Date, entityId?: string): SamlMetadata => {
  const root = parsed(xml)
  const all = entitiesIn(root)
  const [found, second] = entityId ? all.filter(({ entity }) => entity.getAttribute('entityID') === entityId) : all
  if (!found)
    return failed(entityId ? `it has no identity provider ${entityId}` : 'it has no identity provider for SAML 2.0')
  if (second) return failed('it has several identity providers: set entityId')
  const { entity, descriptor } = found
  const id = entity.getAttribute('entityID') ?? ''
  if (id === '' || id.length > 1024) return failed('the entity ID is missing or longer than 1024 characters')
  const signIn = endpoints(descriptor, 'SingleSignOnService')
  if (!signIn.redirect && !signIn.post) return failed('it has no SingleSignOnService for HTTP-Redirect or HTTP-POST')
  const certificates = certificatesOf(descriptor)
  if (certificates.length === 0) return failed('it has no certificate of an RSA key of at least 2048 bits for signing')
  const around = [...new Set([root, entity, descriptor])]
  const ends = around.flatMap((element) => instantOf(element.getAttribute('validUntil')) ?? [])
  const durations = around.flatMap((element) => durationOf(element.getAttribute('cacheDuration')) ?? [])
  if (ends.some((end) => end <= now.getTime())) return failed('it has expired (validUntil)')
  return {
    entityId: id,
    signIn,
    signOut: endpoints(descriptor, 'SingleLogoutService'),
    signOutAnswer: endpoints(descriptor, 'SingleLogoutService', 'ResponseLocation'),
    certificates,
    wantsSignedRequests: ['true', '1'].includes(descriptor.getAttribute('WantAuthnRequestsSigned') ?? ''),
    ...(ends.length > 0 ? { validUntil: Math.min(...ends) } : {}),
    ...(durations.length > 0 ? { cacheDuration: Math.min(...durations) } : {}),
  }
}
