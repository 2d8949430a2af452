/** How the reference groups operations, a page for each group: by the first segment of their path, as the OpenAPI document's tags do. */
import { routeTag } from '@countersign/contract/openapi.ts'
import type { Route } from '@countersign/contract/route.ts'
import { anchor } from './text.ts'

export interface Section {
  /** In its address, `/api/docs/:id`. */
  readonly id: string
  readonly title: string
  readonly routes: readonly Route[]
}

const DOCUMENTS = { id: 'openapi-documents', title: 'OpenAPI documents' }

const sectionNamed = (tag: string): { id: string; title: string } => {
  if (tag.endsWith('.json') || tag === 'well-known') return DOCUMENTS
  return { id: tag, title: tag.replaceAll('-', ' ').replace(/^./, (letter) => letter.toUpperCase()) }
}

/** The group that an operation is in. */
export const sectionIdOf = (route: Route): string => sectionNamed(routeTag(route)).id

/** The address of an operation in the reference. */
export const operationLink = (route: Route): string =>
  `/api/docs/${encodeURIComponent(sectionIdOf(route))}${anchor(route.id)}`

/** Whether a section is of the Account API, whose tokens are those of users. */
export const isOfAccount = ({ routes }: Section): boolean => routes.every(({ scopes }) => scopes !== undefined)

const isOpen = ({ routes }: Section): boolean =>
  routes.every(({ permission, scopes }) => permission === null && scopes === undefined)

/** The sections by title; those of the Account API come after the others, and those that anyone may call last. */
export const sectionsOf = (routes: readonly Route[]): Section[] => {
  const byId = new Map<string, Section>()
  for (const route of routes) {
    const named = sectionNamed(routeTag(route))
    byId.set(named.id, { ...named, routes: [...(byId.get(named.id)?.routes ?? []), route] })
  }
  const sections = [...byId.values()].sort((a, b) => a.title.localeCompare(b.title, 'en'))
  const isOfManagement = (section: Section) => !isOpen(section) && !isOfAccount(section)
  return [...sections.filter(isOfManagement), ...sections.filter(isOfAccount), ...sections.filter(isOpen)]
}
