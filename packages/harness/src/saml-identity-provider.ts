/**
 * A SAML identity provider for tests, which signs with xml-crypto and encrypts with xml-encryption itself: what it writes is text, so
 * that it can also write what no good one would.
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { inflateRawSync } from 'node:zlib'
import { type CertifiedKey, newCertifiedKey } from '@countersign/server/kernel/certificates.ts'
import { SignedXml } from 'xml-crypto'
import { encrypt } from 'xml-encryption'

const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'
const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'
const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256'
const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success'
const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'
const UNSPECIFIED = 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified'
const NAMESPACES =
  'xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"'

/** A request that came to it. */
export interface SamlRequest {
  readonly id: string
  readonly acs: string
  /** Entity ID of the service provider. */
  readonly issuer: string
  readonly relayState: string
  readonly xml: string
}

/** What a response says; whatever is missing is right. */
export interface SamlAnswer {
  readonly nameId?: string
  readonly nameIdFormat?: string
  readonly attributes?: Readonly<Record<string, string | readonly string[]>>
  readonly signs?: 'assertion' | 'response' | 'both' | 'nothing'
  readonly key?: CertifiedKey
  readonly signatureAlgorithm?: string
  readonly digestAlgorithm?: string
  readonly canonicalization?: string
  /** A certificate in PEM that the assertion is encrypted to. */
  readonly encryptedTo?: string
  /** The same for the NameID alone. */
  readonly nameIdEncryptedTo?: string
  readonly encryptionAlgorithm?: string
  readonly keyEncryptionAlgorithm?: string
  readonly status?: string
  readonly issuer?: string
  readonly assertionIssuer?: string
  readonly assertionId?: string
  readonly destination?: string | null
  readonly recipient?: string
  readonly audience?: string | null
  /** Null: none. */
  readonly inResponseTo?: string | null
  readonly confirmedInResponseTo?: string | null
  readonly method?: string
  /** Seconds from now. */
  readonly notBefore?: number
  readonly notOnOrAfter?: number
  readonly confirmedUntil?: number
  readonly issuedAt?: number
  readonly sessionEnds?: number
  readonly sessionIndex?: string
  readonly conditions?: string
  /** Changes the assertion before it is signed. */
  readonly unsigned?: (assertion: string) => string
}

/** What a logout request says; whatever is missing is right. */
export interface SamlLogout {
  readonly id?: string
  readonly nameId?: string
  readonly sessionIndexes?: readonly string[]
  readonly issuer?: string
  readonly destination?: string
  /** Seconds from now. */
  readonly issuedAt?: number
  readonly notOnOrAfter?: number
  /** In place of what names the user. */
  readonly named?: string
}

const part = (text: string, expression: RegExp): string => expression.exec(text)?.[0] ?? ''

/** Escaped for text and attributes. */
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const attribute = (name: string, value: string | null): string => (value === null ? '' : ` ${name}="${escaped(value)}"`)

const newId = (): string => `_${randomBytes(16).toString('hex')}`

/** An element as EncryptedData. */
export const encrypted = (xml: string, certificate: string, answer: SamlAnswer = {}): Promise<string> =>
  promisify<string>((done) =>
    encrypt(
      xml,
      {
        rsa_pub: certificate,
        pem: certificate,
        encryptionAlgorithm: (answer.encryptionAlgorithm ?? 'http://www.w3.org/2009/xmlenc11#aes256-gcm') as never,
        keyEncryptionAlgorithm: (answer.keyEncryptionAlgorithm ??
          'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p') as never,
        warnInsecureAlgorithm: false,
        disallowEncryptionWithInsecureAlgorithm: false,
      },
      done,
    ),
  )()

export class SamlIdentityProvider {
  readonly #now: () => Date
  /** It signs with the first, and publishes all. */
  keys: CertifiedKey[] = []
  /** In place of its metadata. */
  metadataAnswer: { readonly status: number; readonly body: string } | undefined
  /** Attributes of EntityDescriptor. */
  metadataAttributes = ''
  /** How often its metadata was asked for. */
  metadataRequests = 0
  readonly #server = createServer((request, response) => {
    if (!request.url?.startsWith('/metadata')) return void response.writeHead(404).end()
    this.metadataRequests++
    const { status, body } = this.metadataAnswer ?? { status: 200, body: this.metadata }
    response.writeHead(status, { 'content-type': 'application/samlmetadata+xml' }).end(body)
  })

  constructor(now: () => Date) {
    this.#now = now
  }

  /** Makes its key and starts it at a free port. */
  async start(): Promise<this> {
    this.keys = [await this.newKey()]
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return this
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  get entityId(): string {
    return `${this.origin}/metadata`
  }

  /** @param days from today */
  newKey(days = 365, fromDays = -1): Promise<CertifiedKey> {
    const at = (offset: number) => new Date(this.#now().getTime() + offset * 86_400_000)
    return newCertifiedKey('A test identity provider', at(fromDays), at(days))
  }

  get metadata(): string {
    const keys = this.keys.map(
      ({ certificate }) =>
        `<KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>${certificate.replaceAll(/-----.*-----/g, '')}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></KeyDescriptor>`,
    )
    const service = (name: string, binding: string) =>
      `<${name} Binding="urn:oasis:names:tc:SAML:2.0:bindings:${binding}" Location="${this.origin}/${name === 'SingleSignOnService' ? 'sso' : 'slo'}"/>`
    return `<?xml version="1.0"?><!-- of a test --><EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${this.entityId}"${this.metadataAttributes}><IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">${keys.join('')}${service('SingleLogoutService', 'HTTP-Redirect')}${service('SingleSignOnService', 'HTTP-Redirect')}</IDPSSODescriptor></EntityDescriptor>`
  }

  /** What a browser brings to it by the Redirect binding. */
  request(address: string): SamlRequest {
    const query = new URL(address).searchParams
    const xml = inflateRawSync(Buffer.from(query.get('SAMLRequest') ?? '', 'base64')).toString()
    return this.read(xml, query.get('RelayState') ?? '')
  }

  read(xml: string, relayState: string): SamlRequest {
    const value = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(xml)?.[1] ?? ''
    const issuer = /<saml:Issuer[^>]*>([^<]*)</.exec(xml)?.[1] ?? ''
    return { id: value('ID'), acs: value('AssertionConsumerServiceURL'), issuer, relayState, xml }
  }

  /** Signs the element with this ID. */
  sign(xml: string, id: string, answer: SamlAnswer = {}): string {
    const { privateKey, certificate } = answer.key ?? this.keys[0] ?? { privateKey: '', certificate: '' }
    const signed = new SignedXml({
      privateKey,
      publicCert: certificate,
      signatureAlgorithm: answer.signatureAlgorithm ?? RSA_SHA256,
      canonicalizationAlgorithm: answer.canonicalization ?? EXCLUSIVE,
    })
    if (answer.signatureAlgorithm?.includes('hmac')) {
      signed.enableHMAC()
      // algorithm confusion: the public key as the secret
      signed.privateKey = certificate
    }
    signed.addReference({
      xpath: `//*[@ID='${id}']`,
      transforms: [ENVELOPED, EXCLUSIVE],
      digestAlgorithm: answer.digestAlgorithm ?? SHA256,
    })
    signed.computeSignature(xml, {
      prefix: 'ds',
      location: { reference: `//*[@ID='${id}']/*[local-name(.)='Issuer']`, action: 'after' },
    })
    return signed.getSignedXml()
  }

  /** The text of a request to end sessions, not signed. */
  logoutRequest(destination: string, { nameId = 'someone', ...said }: SamlLogout = {}): { xml: string; id: string } {
    const at = (seconds: number) => new Date(this.#now().getTime() + seconds * 1000).toISOString()
    const id = said.id ?? newId()
    const ends = said.notOnOrAfter === undefined ? null : at(said.notOnOrAfter)
    const indexes = (said.sessionIndexes ?? []).map(
      (index) => `<samlp:SessionIndex>${escaped(index)}</samlp:SessionIndex>`,
    )
    const xml = `<samlp:LogoutRequest ${NAMESPACES} ID="${id}" Version="2.0" IssueInstant="${at(said.issuedAt ?? 0)}" Destination="${escaped(said.destination ?? destination)}"${attribute('NotOnOrAfter', ends)}><saml:Issuer>${escaped(said.issuer ?? this.entityId)}</saml:Issuer>${said.named ?? `<saml:NameID>${escaped(nameId)}</saml:NameID>`}${indexes.join('')}</samlp:LogoutRequest>`
    return { xml, id }
  }

  /** The text of an answer to a request to sign out, not signed. */
  logoutResponse(destination: string, inResponseTo: string, { issuer, status = SUCCESS }: SamlAnswer = {}) {
    const id = newId()
    const xml = `<samlp:LogoutResponse ${NAMESPACES} ID="${id}" Version="2.0" IssueInstant="${this.#now().toISOString()}" Destination="${escaped(destination)}" InResponseTo="${inResponseTo}"><saml:Issuer>${escaped(issuer ?? this.entityId)}</saml:Issuer><samlp:Status><samlp:StatusCode Value="${status}"/></samlp:Status></samlp:LogoutResponse>`
    return { xml, id }
  }

  #assertion(request: SamlRequest, answer: SamlAnswer): string {
    const at = (seconds: number) => new Date(this.#now().getTime() + seconds * 1000).toISOString()
    const inResponseTo =
      answer.confirmedInResponseTo !== undefined ? answer.confirmedInResponseTo : (answer.inResponseTo ?? request.id)
    const audience = answer.audience === undefined ? request.issuer : answer.audience
    const attributes = Object.entries(answer.attributes ?? {}).map(
      ([name, values]) =>
        `<saml:Attribute Name="${escaped(name)}">${[values]
          .flat()
          .map((value) => `<saml:AttributeValue>${escaped(value)}</saml:AttributeValue>`)
          .join('')}</saml:Attribute>`,
    )
    return `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${answer.assertionId ?? newId()}" Version="2.0" IssueInstant="${at(answer.issuedAt ?? 0)}"><saml:Issuer>${escaped(answer.assertionIssuer ?? this.entityId)}</saml:Issuer><saml:Subject><saml:NameID Format="${answer.nameIdFormat ?? UNSPECIFIED}">${escaped(answer.nameId ?? 'someone')}</saml:NameID><saml:SubjectConfirmation Method="${answer.method ?? BEARER}"><saml:SubjectConfirmationData${attribute('InResponseTo', answer.inResponseTo === null && answer.confirmedInResponseTo === undefined ? null : inResponseTo)} Recipient="${escaped(answer.recipient ?? request.acs)}" NotOnOrAfter="${at(answer.confirmedUntil ?? 300)}"/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${at(answer.notBefore ?? -10)}" NotOnOrAfter="${at(answer.notOnOrAfter ?? 300)}">${audience === null ? '' : `<saml:AudienceRestriction><saml:Audience>${escaped(audience)}</saml:Audience></saml:AudienceRestriction>`}${answer.conditions ?? ''}</saml:Conditions><saml:AuthnStatement AuthnInstant="${at(0)}"${attribute('SessionIndex', answer.sessionIndex ?? newId())}${answer.sessionEnds === undefined ? '' : ` SessionNotOnOrAfter="${at(answer.sessionEnds)}"`}><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>${attributes.length > 0 ? `<saml:AttributeStatement>${attributes.join('')}</saml:AttributeStatement>` : ''}</saml:Assertion>`
  }

  /** The text of a response to a request. */
  async respond(request: SamlRequest, answer: SamlAnswer = {}): Promise<string> {
    const signs = answer.signs ?? 'assertion'
    let written = (answer.unsigned ?? ((text) => text))(this.#assertion(request, answer))
    if (answer.nameIdEncryptedTo) {
      const nameId = part(written, /<saml:NameID.*?<\/saml:NameID>/s)
      const alone = nameId.replace('<saml:NameID', '<saml:NameID xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"')
      const data = await encrypted(alone, answer.nameIdEncryptedTo, answer)
      written = written.replace(nameId, () => `<saml:EncryptedID>${data}</saml:EncryptedID>`)
    }
    const id = /ID="([^"]*)"/.exec(written)?.[1] ?? ''
    let assertion = signs === 'assertion' || signs === 'both' ? this.sign(written, id, answer) : written
    if (answer.encryptedTo) {
      const data = await encrypted(assertion, answer.encryptedTo, answer)
      assertion = `<saml:EncryptedAssertion>${data}</saml:EncryptedAssertion>`
    }
    const responseId = newId()
    const inResponseTo = answer.inResponseTo === undefined ? request.id : answer.inResponseTo
    const destination = answer.destination === undefined ? request.acs : answer.destination
    const status = answer.status ?? SUCCESS
    const response = `<samlp:Response ${NAMESPACES} ID="${responseId}" Version="2.0" IssueInstant="${this.#now().toISOString()}"${attribute('Destination', destination)}${attribute('InResponseTo', inResponseTo)}><saml:Issuer>${escaped(answer.issuer ?? this.entityId)}</saml:Issuer><samlp:Status><samlp:StatusCode Value="${status}"/></samlp:Status>${status === SUCCESS ? assertion : ''}</samlp:Response>`
    return signs === 'response' || signs === 'both' ? this.sign(response, responseId, answer) : response
  }
}

const without = (xml: string, found: string): string => xml.replace(found, '')
const signatureOf = (xml: string): string => part(xml, /<ds:Signature[ >].*?<\/ds:Signature>/s)
const into = (xml: string, end: string, added: string): string => xml.replace(end, `${added}${end}`)

/**
 * Signature wrapping (Somorovsky et al., "On Breaking SAML: Be Whoever You Want to Be", 2012): the eight ways to have a valid signature and
 * another assertion in one response. 1 and 2 take a signed response, the others one with a signed assertion.
 * @param nameId of the user to be impersonated
 * @param sameId whether what is forged has the ID of what was signed
 */
export const wrapped = (response: string, way: number, nameId: string, sameId: boolean): string => {
  const forged = (text: string) => {
    const other = text.replace(/(<saml:NameID[^>]*>)[^<]*/, (_all, tag: string) => `${tag}${nameId}`)
    return sameId ? other : other.replace(/ ID="[^"]*"/, ' ID="_forged"')
  }
  const signature = signatureOf(response)
  const object = (text: string) => `<ds:Object>${text}</ds:Object>`
  if (way <= 2) {
    const original = without(response, signature)
    const evil = forged(response)
    return way === 1
      ? evil.replace(signature, into(signature, '</ds:Signature>', object(original)))
      : evil.replace(signature, `${original}${signature}`)
  }
  const assertion = part(response, /<saml:Assertion .*<\/saml:Assertion>/s)
  const original = without(assertion, signature)
  const evil = forged(original)
  const signedEvil = forged(assertion)
  const ways: Readonly<Record<number, string>> = {
    3: `${evil}${assertion}`,
    4: into(evil, '</saml:Assertion>', assertion),
    5: `${signedEvil}${original}`,
    6: signedEvil.replace(signature, into(signature, '</ds:Signature>', original)),
    7: `<samlp:Extensions>${evil}</samlp:Extensions>${assertion}`,
    8: signedEvil.replace(signature, into(signature, '</ds:Signature>', object(original))),
  }
  return response.replace(assertion, () => ways[way] ?? '')
}
