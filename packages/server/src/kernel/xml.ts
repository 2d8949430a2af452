/**
 * The only place where XML from outside is parsed: without document types, entities and processing instructions, within limits that
 * are checked before the parser sees the text. What the parser accepts but XML does not is refused (SECURITY R-36).
 */
import type * as Xmldom from '@xmldom/xmldom'
import { lazyLibrary } from './lazy-library.ts'

const library = lazyLibrary<typeof Xmldom>('@xmldom/xmldom')

const MOST_BYTES = 256 * 1024
const DEEPEST = 64
const MOST_ELEMENTS = 10_000
/** Of one element. The parser compares each attribute with all others. */
const MOST_ATTRIBUTES = 64

/** Declared by an element and those around it: signatures compare each attribute with all of them. */
const MOST_NAMESPACES = 128

/** Names of attributes that identify an element: of SAML, of signatures and encryption, and of XML itself. */
const ID_NAMES = ['ID', 'Id', 'id', 'xml:id']

/** The text is not acceptable XML. The message is a sentence without parts of the text. */
export class XmlError extends Error {}

export interface XmlLimits {
  /** Of the text in UTF-8. Default: 256 KiB. */
  readonly mostBytes?: number
  /** What happens to comments: messages have none, and one that splits a text could make it mean something else. */
  readonly comments?: 'refused' | 'removed'
}

const refuse = (sentence: string): never => {
  throw new XmlError(sentence)
}

/** The index behind a tag that begins at `from`; counts its attributes. */
const endOfTag = (text: string, from: number): number => {
  let attributes = 0
  for (let at = from + 1; at < text.length; at++) {
    const character = text[at]
    if (character === '>') return at + 1
    if (character === '<') break
    if (character !== '"' && character !== "'") continue
    attributes++
    if (attributes > MOST_ATTRIBUTES) refuse(`an element has more than ${MOST_ATTRIBUTES} attributes`)
    at = text.indexOf(character, at + 1)
    if (at < 0) break
  }
  return refuse('a tag does not end')
}

/** The index behind markup that is no tag. */
const endOfOther = (text: string, from: number, comments: XmlLimits['comments']): number => {
  const behind = (end: string, start: number): number => {
    const found = text.indexOf(end, start)
    return found < 0 ? refuse('the document does not end') : found + end.length
  }
  if (text.startsWith('<!--', from)) {
    if (comments !== 'removed') refuse('the document has a comment')
    return behind('-->', from + 4)
  }
  if (from === 0 && /^<\?xml[ \t\r\n]/.test(text.slice(from, from + 6))) return behind('?>', from + 5)
  if (text[from + 1] === '?') return refuse('the document has a processing instruction')
  return refuse('the document has a document type, an entity or a CDATA section')
}

/** What XML 1.0 does not allow as a character (section 2.2) or discourages: a jsonb column does not take it either. */
const NO_CHARACTER = /(?![\t\n\r])[\p{Cc}\ufffe\uffff]/u

const checkCharacters = (text: string): void => {
  const referred = [...text.matchAll(/&#(x?)([0-9a-fA-F]+);/g)].map(([, hex, digits = '']) =>
    Number.parseInt(digits, hex ? 16 : 10),
  )
  const isSound = (code: number) => code <= 0x10ffff && String.fromCodePoint(code).isWellFormed()
  if (!text.isWellFormed() || NO_CHARACTER.test(text) || !referred.every(isSound))
    refuse('the document has a character that XML does not allow')
  if (referred.some((code) => NO_CHARACTER.test(String.fromCodePoint(code))))
    refuse('the document has a character that XML does not allow')
}

const isBlank = (text: string): boolean => /^[ \t\r\n]*$/.test(text)

/** Checks, in one pass, what would make parsing expensive or dangerous, and what the parser lets pass. */
const scan = (text: string, comments: XmlLimits['comments']): void => {
  const open: string[] = []
  let elements = 0
  let behind = 0
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', behind)) {
    if (open.length === 0 && !isBlank(text.slice(behind, at))) refuse('the document has text outside of its root')
    const next = text[at + 1]
    if (next === '!' || next === '?') {
      behind = endOfOther(text, at, comments)
      continue
    }
    behind = endOfTag(text, at)
    const [name = ''] = /^[^\s/>]*/.exec(text.slice(at + (next === '/' ? 2 : 1), behind)) ?? []
    if (next === '/') {
      if (open.pop() !== name) refuse('an element ends that has not begun')
      continue
    }
    elements++
    if (open.length === 0 && elements > 1) refuse('the document has more than one root')
    if (elements > MOST_ELEMENTS) refuse(`the document has more than ${MOST_ELEMENTS} elements`)
    if (text[behind - 2] !== '/') open.push(name)
    if (open.length > DEEPEST) refuse(`elements are nested deeper than ${DEEPEST} levels`)
  }
  if (elements === 0) refuse('the document has no element')
  if (open.length > 0) refuse('an element does not end')
  if (!isBlank(text.slice(behind))) refuse('the document has text outside of its root')
}

/** Every element of a document or below an element, in document order. */
export function* elementsOf(root: Node): Generator<Element> {
  let node: Node | null = root
  while (node) {
    if (node.nodeType === 1) yield node as Element
    let next: Node | null = node.firstChild
    while (!next && node && node !== root) {
      next = node.nextSibling
      if (!next) node = node.parentNode
    }
    node = next
  }
}

const checkElements = (document: Document): void => {
  const ids = new Set<string>()
  const namespaces = new Map<Node | null, number>()
  for (const element of elementsOf(document)) {
    const declared = Array.from(element.attributes).filter(({ name }) => /^xmlns(:|$)/.test(name)).length
    const inScope = (namespaces.get(element.parentNode) ?? 0) + declared
    if (inScope > MOST_NAMESPACES) refuse(`more than ${MOST_NAMESPACES} namespaces are declared around an element`)
    namespaces.set(element, inScope)
    if (element.prefix && !element.namespaceURI) refuse('a prefix has no namespace')
    for (const name of ID_NAMES) {
      if (!element.hasAttribute(name)) continue
      const id = element.getAttribute(name) ?? ''
      if (ids.has(id)) refuse('two elements have the same ID')
      ids.add(id)
    }
  }
}

const removeComments = (root: Node): void => {
  for (const element of [root, ...elementsOf(root)])
    for (let child = element.firstChild; child; ) {
      const next: ChildNode | null = child.nextSibling
      if (child.nodeType === 8) element.removeChild(child)
      child = next
    }
  root.normalize()
}

/**
 * Parses XML 1.0. Throws XmlError. Signatures, schemas and namespaces that nobody expects are for the caller to check; every
 * prefix has a namespace.
 */
export const parseXml = (text: string, { mostBytes = MOST_BYTES, comments = 'refused' }: XmlLimits = {}): Document => {
  if (Buffer.byteLength(text) > mostBytes) refuse(`the document is longer than ${mostBytes} bytes`)
  const content = text.replace(/^\uFEFF/, '').trim()
  checkCharacters(content)
  scan(content, comments)
  const { DOMParser } = library()
  const onError = (): never => refuse('the document is not well-formed XML')
  const parser = new DOMParser({ errorHandler: { warning: onError, error: onError, fatalError: onError } })
  let document: Document | undefined
  try {
    document = parser.parseFromString(content, 'text/xml')
  } catch (error) {
    if (error instanceof XmlError) throw error
    throw new XmlError('the document is not well-formed XML', { cause: error })
  }
  if (!document?.documentElement) return refuse('the document has no element')
  if (comments === 'removed') removeComments(document)
  checkElements(document)
  return document
}

/** Writes a node as text. */
export const writeXml = (node: Node): string => new (library().XMLSerializer)().serializeToString(node)

/** A new document with an empty root, to be filled by DOM methods, which escape. @param name with its prefix */
export const newXml = (namespace: string, name: string): Document =>
  new (library().DOMImplementation)().createDocument(namespace, name, null)

/** The children of an element with this name. */
export const childrenNamed = (parent: Element, namespace: string, name: string): Element[] => {
  const found: Element[] = []
  for (let child = parent.firstChild; child; child = child.nextSibling)
    if (child.nodeType === 1) {
      const element = child as Element
      if (element.localName === name && element.namespaceURI === namespace) found.push(element)
    }
  return found
}

/** The text of an element that has only text; undefined: it has other elements. */
export const textOf = (element: Element): string | undefined => {
  for (let child = element.firstChild; child; child = child.nextSibling) if (child.nodeType !== 3) return undefined
  return element.textContent ?? ''
}
