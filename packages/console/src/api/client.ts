/** The typed client of the Management API with the administrator's token, and hooks that read and change by it. */

import { type Client, createClient, type ListPage } from '@countersign/contract'
import { API_ROUTES } from '@countersign/contract/api.ts'
import { permissionsOf, type Route } from '@countersign/contract/route.ts'
import {
  keepPreviousData,
  type QueryClient,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { withErrorPhrases } from '../languages/errors.ts'
import { accessToken, holds } from '../session/session.ts'
import { sendVersioned } from './conflict.ts'
import { doubtConnection } from './connection.ts'
import { isOffline, OutcomeUnknown } from './failure.ts'

export type { Client }
export type Operation = keyof Client
export type Input<Id extends Operation> = Parameters<Client[Id]>[0]
export type Answer<Id extends Operation> = Awaited<ReturnType<Client[Id]>>
/** The operations that answer with a list, page by page. */
export type ListOperation = { [Id in Operation]: Client[Id] extends { pages: unknown } ? Id : never }[Operation]
export type Row<Id extends ListOperation> = Answer<Id> extends readonly (infer R)[] ? R : never

/** A token; where it cannot be renewed for want of an answer, the connection is in doubt. */
const token = async (): Promise<string> => {
  try {
    return await accessToken()
  } catch (error) {
    if (isOffline(error)) void doubtConnection()
    throw error
  }
}

const client: Client = createClient({ baseUrl: location.origin, token, fetch: withErrorPhrases(sendVersioned) })

const routes = new Map<string, Route>(API_ROUTES.map((route) => [route.id, route]))

/** The route of an operation. */
export const routeOf = (id: Operation): Route => {
  const route = routes.get(id)
  if (!route) throw new Error(`there is no operation ${id}`)
  return route
}

/** Whether the administrator may call it. What they may not is not shown. */
export const may = (...ids: readonly Operation[]): boolean => ids.every((id) => holds(permissionsOf(routeOf(id))))

type Call = (input: unknown, options?: { signal?: AbortSignal }) => Promise<unknown>
type Pages = { pages: (input: unknown, options?: { signal?: AbortSignal }) => AsyncGenerator<ListPage<unknown>> }

/** Reads by an operation; again when something was changed. @param isWanted false: not now, or not permitted */
export const useAnswer = <Id extends Operation>(id: Id, input: Input<Id>, isWanted = true, everyMs?: number) =>
  useQuery({
    queryKey: [id, input],
    queryFn: ({ signal }) => (client[id] as unknown as Call)(input, { signal }) as Promise<Answer<Id>>,
    enabled: isWanted && may(id),
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
  })

/** Reads by an operation with several inputs; the answers are in their order. */
export const useAnswers = <Id extends Operation>(id: Id, inputs: readonly Input<Id>[]) =>
  useQueries({
    queries: inputs.map((input) => ({
      queryKey: [id, input],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        (client[id] as unknown as Call)(input, { signal }) as Promise<Answer<Id>>,
      enabled: may(id),
    })),
  })

/** Reads every page of a list, one after the other: for what has to be complete. */
export const useAll = <Id extends ListOperation>(id: Id) =>
  useQuery({
    queryKey: [id, 'all'],
    queryFn: async ({ signal }) => {
      const rows: Row<Id>[] = []
      const wanted = { query: { page: 1, page_size: 100 } }
      for await (const page of (client[id] as unknown as Pages).pages(wanted, { signal }))
        rows.push(...(page.rows as readonly Row<Id>[]))
      return rows
    },
    enabled: may(id),
  })

/**
 * Reads one page of a list. The page before stays visible until the next one is there; a newer question ends an older one. Its rows are
 * drawn in slices: the screen answers meanwhile.
 */
export const usePage = <Id extends ListOperation>(id: Id, input: Input<Id>, everyMs?: number, isWanted = true) => {
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: [id, 'page', input],
    queryFn: async ({ signal }) => {
      const { value } = await (client[id] as unknown as Pages).pages(input, { signal }).next()
      return value as ListPage<Row<Id>>
    },
    enabled: isWanted && may(id),
    placeholderData: keepPreviousData,
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
  })
  return { data: useDeferredValue(data), error, refetch, isPlaceholderData }
}

/** Calls an operation as one of many: nothing is read again until the caller asks for it. @param signal ends it */
export const callOnce = <Id extends Operation>(id: Id, input: Input<Id>, signal?: AbortSignal): Promise<Answer<Id>> =>
  (client[id] as unknown as Call)(input, signal ? { signal } : undefined) as Promise<Answer<Id>>

/** Shows what the server has, as soon as it can be reached, after a change that may have arrived. */
const readAgainAfter = (error: unknown, queries: QueryClient): void => {
  if (error instanceof OutcomeUnknown) void doubtConnection().then(() => queries.invalidateQueries())
}

/**
 * Changes by an operation; everything that is shown is read again. What the caller does then waits for that, except after a deletion: it
 * leads away from what is no longer there.
 */
export const useChange = <Id extends Operation>(id: Id) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (input: Input<Id>) => (client[id] as unknown as Call)(input) as Promise<Answer<Id>>,
    onSuccess: async () => {
      const read = queries.invalidateQueries()
      if (routes.get(id)?.method !== 'DELETE') await read
    },
    onError: (error) => readAgainAfter(error, queries),
  })
}

/** Changes by several calls, one after the other; what is shown is read again at the end, also where one of them failed. */
export const useChanges = () => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (work: (client: Client) => Promise<unknown>) => work(client),
    onSettled: () => queries.invalidateQueries(),
    onError: (error) => readAgainAfter(error, queries),
  })
}
