/** The pagination parameters and headers of list routes (DECISIONS B3, RFC 8288). */
import { ApiError } from '../kernel/api-error.ts'
import { END, type Page, type PageRequest } from '../storage/page.ts'
import type { Exchange } from './exchange.ts'
import type { Parameters } from './parameters.ts'

const DEFAULT_SIZE = 20
const LARGEST_SIZE = 100
/** Rows of a list that is requested whole: as many as are counted. */
const WHOLE_LIST = 10_000
const PAGING = ['page', 'page_size', 'after', 'before']
/** Beyond this OFFSET would overflow; no client reads that far by number. */
const LARGEST_PAGE = 1_000_000

/** For a route that is not a list: its query may contain anything. */
export const FIRST_PAGE: PageRequest = { page: 1, pageSize: DEFAULT_SIZE }

const whole = (parameters: Parameters, name: string, fallback: number, most: number): number => {
  const values = parameters.get(name)
  if (!values) return fallback
  const [value = ''] = values
  if (values.length > 1 || !/^[1-9]\d{0,6}$/.test(value) || Number(value) > most) {
    throw new ApiError('guard.invalid_pagination', { reason: `${name} must be one whole number from 1 to ${most}` })
  }
  return Number(value)
}

const cursor = (parameters: Parameters, name: 'after' | 'before'): Partial<PageRequest> => {
  const values = parameters.get(name)
  if (values && values.length > 1) throw new ApiError('guard.invalid_pagination', { reason: `${name} must come once` })
  return values?.[0] ? { [name]: values[0] } : {}
}

/**
 * The part of a list that the request asks for. Throws 400 for an invalid
 * page. @param list `whole`: everything, up to 10,000 rows, if the request does not mention pages (DECISIONS N3)
 */
export const parsePage = (parameters: Parameters, list: true | 'whole'): PageRequest => {
  if (list === 'whole' && !PAGING.some((name) => parameters.has(name))) return { page: 1, pageSize: WHOLE_LIST }
  const page = whole(parameters, 'page', 1, LARGEST_PAGE)
  const pageSize = whole(parameters, 'page_size', DEFAULT_SIZE, LARGEST_SIZE)
  const beside = { ...cursor(parameters, 'after'), ...cursor(parameters, 'before') }
  if (beside.after && beside.before)
    throw new ApiError('guard.invalid_pagination', { reason: 'after and before cannot be combined' })
  return { page, pageSize, ...beside }
}

/** In characters. The links repeat the query up to four times, and clients read a head of 16 KiB at most. */
const LONGEST_LINKS = 8192

/** Links are made from the base URL, never from the request's host. */
export const pageHeaders = (
  { tenant, path, queryText }: Exchange,
  listed: Page<unknown>,
  request: PageRequest,
): Record<string, string> => {
  const link = (rel: string, change: Record<string, string | undefined>): string => {
    const url = new URL(`${tenant.baseUrl}${path}`)
    url.search = queryText
    for (const [name, value] of Object.entries(change)) {
      if (value === undefined) url.searchParams.delete(name)
      else url.searchParams.set(name, value)
    }
    return `<${url.href}>; rel="${rel}"`
  }
  const { nextCursor, previousCursor, total, isCapped } = listed
  const end = link('last', { page: undefined, after: undefined, before: END })
  const links = [link('first', { page: '1', after: undefined, before: undefined })]
  if (request.after || request.before) {
    if (previousCursor) links.push(link('prev', { page: undefined, after: undefined, before: previousCursor }))
    if (nextCursor) links.push(link('next', { page: undefined, after: nextCursor, before: undefined }))
    links.push(end)
  } else {
    const pages = Math.max(1, Math.ceil(total / request.pageSize))
    if (request.page > 1) links.push(link('prev', { page: String(request.page - 1) }))
    if (nextCursor) links.push(link('next', { page: String(request.page + 1) }))
    // the number of the last page is unknown where counting stopped
    links.push(isCapped ? end : link('last', { page: String(pages) }))
  }
  const text = links.join(', ')
  return {
    'total-number': String(total),
    ...(isCapped ? { 'total-number-is-capped': 'true' } : {}),
    ...(nextCursor ? { 'next-cursor': nextCursor } : {}),
    ...(text.length > LONGEST_LINKS ? {} : { link: text }),
  }
}
