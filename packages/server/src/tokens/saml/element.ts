/** Builds XML element by element: values are set on the document and escaped when it is written, never put into text here. */
import type { CertifiedKey } from '../../kernel/certificates.ts'
import { newBytes } from '../../kernel/ids.ts'
import { newXml, writeXml } from '../../kernel/xml.ts'
import { signedXml } from '../../kernel/xml-signature.ts'
import { ASSERTION } from './names.ts'

/** Characters that XML 1.0 does not allow, even escaped; users can have them in their names. */
const FORBIDDEN = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

const clean = (value: string): string => value.toWellFormed().replace(FORBIDDEN, '\uFFFD')

type Attributes = Readonly<Record<string, string | undefined>>

const setAttributes = (element: Element, attributes: Attributes): Element => {
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined) element.setAttribute(name, clean(value))
  return element
}

/** A new document's root. @param name with its prefix */
export const newRoot = (namespace: string, name: string, attributes: Attributes = {}): Element =>
  setAttributes(newXml(namespace, name).documentElement, attributes)

/** Adds a child and returns it. @param name with its prefix */
export const addElement = (
  parent: Element,
  namespace: string,
  name: string,
  attributes: Attributes = {},
  text?: string,
): Element => {
  const element = setAttributes(parent.ownerDocument.createElementNS(namespace, name), attributes)
  if (text !== undefined) element.appendChild(parent.ownerDocument.createTextNode(clean(text)))
  parent.appendChild(element)
  return element
}

/** Every message and assertion begins with who made it. */
export const addIssuer = (parent: Element, entityId: string): Element =>
  addElement(parent, ASSERTION, 'saml:Issuer', {}, entityId)

/** An ID for a message or an assertion: 160 random bits, and a letter first, as XML requires. */
export const newSamlId = (): string => `_${newBytes(20).toString('hex')}`

/** A moment without fractions of a second, which some service providers cannot read. */
export const instant = (moment: Date): string => `${moment.toISOString().slice(0, 19)}Z`

/** The element as text, signed behind its issuer. */
export const signed = (root: Element, { privateKey, certificate }: CertifiedKey): string =>
  signedXml(writeXml(root), root.getAttribute('ID') ?? '', privateKey, certificate)
