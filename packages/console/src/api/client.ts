/** The typed client of the Management API with the administrator's token, and hooks that read and change by it. */

import { type Client, createClient, type ListPage } from '@countersign/contract'
import { API_ROUTES } from '@countersign/contract/api.ts'
import { permissionsOf, type Route } from '@countersign/contract/route.ts'
import { keepPreviousData, useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import type { StepUp } from '../session/authorization.ts'
import { accessToken, forgetToken, holds, interrupt } from '../session/session.ts'

export type { Client }
export type Operation = keyof Client
export type Input<Id extends Operation> = Parameters<Client[Id]>[0]
export type Answer<Id extends Operation> = Awaited<ReturnType<Client[Id]>>
/** The operations that answer with a list, page by page. */
export type ListOperation = { [Id in Operation]: Client[Id] extends { pages: unknown } ? Id : never }[Operation]
export type Row<Id extends ListOperation> = Answer<Id> extends readonly (infer R)[] ? R : never

/** What a challenge asks for (RFC 9470 section 3); undefined when it does not ask for a fresh sign-in. */
const stepUpOf = (challenge: string): StepUp | undefined => {
  if (!challenge.includes('insufficient_user_authentication')) return undefined
  const value = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(challenge)?.[1]
  const [maxAge, acrValues] = [value('max_age'), value('acr_values')]
  return { ...(maxAge === undefined ? {} : { maxAge }), ...(acrValues === undefined ? {} : { acrValues }) }
}

/** Sends a request; once more with another token where the server no longer takes this one, which ends where the session has ended. */
const watching: typeof fetch = async (address, request) => {
  const response = await fetch(address, request)
  if (response.status !== 401) return response
  const stepUp = stepUpOf(response.headers.get('www-authenticate') ?? '')
  if (stepUp) {
    interrupt(stepUp)
    return response
  }
  forgetToken()
  const headers = new Headers(request?.headers)
  headers.set('authorization', `Bearer ${await accessToken()}`)
  return fetch(address, { ...request, headers })
}

const client: Client = createClient({ baseUrl: location.origin, token: accessToken, fetch: watching })

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

/** Reads one page of a list. The page before stays visible until the next one is there; a newer question ends an older one. */
export const usePage = <Id extends ListOperation>(id: Id, input: Input<Id>, everyMs?: number, isWanted = true) =>
  useQuery({
    queryKey: [id, 'page', input],
    queryFn: async ({ signal }) => {
      const { value } = await (client[id] as unknown as Pages).pages(input, { signal }).next()
      return value as ListPage<Row<Id>>
    },
    enabled: isWanted && may(id),
    placeholderData: keepPreviousData,
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
  })

/** Calls an operation as one of many: nothing is read again until the caller asks for it. */
export const callOnce = <Id extends Operation>(id: Id, input: Input<Id>): Promise<Answer<Id>> =>
  (client[id] as unknown as Call)(input) as Promise<Answer<Id>>

/** Changes by an operation; everything that is shown is read again. */
export const useChange = <Id extends Operation>(id: Id) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (input: Input<Id>) => (client[id] as unknown as Call)(input) as Promise<Answer<Id>>,
    onSuccess: () => queries.invalidateQueries(),
  })
}

/** Changes by several calls, one after the other; what is shown is read again at the end, also where one of them failed. */
export const useChanges = () => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (work: (client: Client) => Promise<unknown>) => work(client),
    onSettled: () => queries.invalidateQueries(),
  })
}
