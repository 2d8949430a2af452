/** The paths of PATCH (RFC 7644 section 3.5.2): an attribute, some of its values by a filter, and a part of them. */
import { type Attribute, findAttribute } from './attributes.ts'
import { refused } from './errors.ts'
import { type Filter, FilterParser } from './filter.ts'
import { tokensOf } from './filter-tokens.ts'
import { extensionNamed, type ResolvedPath, resolvePath } from './paths.ts'
import type { ResourceType } from './schemas.ts'

export interface PatchPath extends ResolvedPath {
  /** Which values; undefined: the attribute as a whole. */
  readonly filter: Filter | undefined
}

/** Characters. */
const LONGEST = 2048
/** Each operation of a PATCH tests every value with its filter: identity providers send one or two terms. */
const MOST_TERMS = 10

const invalid = (path: string) => refused('invalidPath', `The path ${path.slice(0, 100)} is not valid.`)

const filterBetween = (path: string, text: string): Filter => {
  const parser = new FilterParser(tokensOf(text), MOST_TERMS)
  const filter = parser.or(0)
  if (!parser.isAtEnd) throw invalid(path)
  return filter
}

const subNamed = (path: string, attribute: Attribute, name: string): Attribute => {
  const sub = findAttribute(attribute.subAttributes ?? [], name)
  if (!sub) throw invalid(path)
  return sub
}

/** What a path names, possibly a whole extension. Throws 400 `invalidPath`, `invalidFilter`. */
export const parsePatchPath = (type: ResourceType, path: string): PatchPath | { readonly wholeExtension: string } => {
  if (path.length > LONGEST) throw invalid(path)
  const extension = extensionNamed(type, path)
  if (extension) return { wholeExtension: extension.id }
  const open = path.indexOf('[')
  const close = path.lastIndexOf(']')
  const resolved = resolvePath(type, open < 0 ? path : path.slice(0, open))
  if (!resolved) throw invalid(path)
  if (open < 0) return { ...resolved, filter: undefined }
  const rest = path.slice(close + 1)
  if (close < open || !resolved.attribute.multiValued || resolved.sub || !/^(\.\$?\w+)?$/.test(rest))
    throw invalid(path)
  return {
    ...resolved,
    sub: rest === '' ? undefined : subNamed(path, resolved.attribute, rest.slice(1)),
    filter: filterBetween(path, path.slice(open + 1, close)),
  }
}
