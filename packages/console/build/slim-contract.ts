/**
 * What the console needs of the contract, and no more: method, path and permission of each route, and lists of values, without the schemas,
 * which would be a third of the console. Types are not touched: the compiler sees the whole contract.
 */
import { API_ROUTES } from '@countersign/contract/api.ts'
import { CLIENT_AUTH_METHODS } from '@countersign/contract/client-metadata.ts'
import { Declaration } from '@countersign/contract/declaration.ts'
import { API_ERRORS } from '@countersign/contract/errors.ts'
import { SIGNING_ALGORITHMS } from '@countersign/contract/signing-keys.ts'
import type { Plugin } from 'vite'
import { parsed } from './data-files.ts'

const routes = API_ROUTES.map(
  ({
    id,
    method,
    path,
    summary,
    permission,
    alsoPermission,
    version,
    status,
    otherStatus,
    list,
    listIn,
    upload,
    response,
  }) => ({
    id,
    method,
    path,
    summary,
    permission,
    alsoPermission,
    version,
    status,
    list,
    listIn,
    upload,
    // the client tells an answer that says no from an error by the members that it must have
    ...(otherStatus ? { otherStatus, response: { required: (response as { required?: string[] }).required } } : {}),
  }),
)

interface Described {
  readonly type?: string
  readonly items?: Described
  readonly properties?: Readonly<Record<string, Described>>
}

/** Of each section of a tenant file, whether it is a list, and the names of the members that it, or a row of it, has. */
const sections = Object.fromEntries(
  Object.entries((Declaration as unknown as Described).properties ?? {}).map(([name, { type, items, properties }]) => [
    name,
    { isList: type === 'array', members: Object.keys((items ?? { properties }).properties ?? {}) },
  ]),
)

const SLIM: readonly (readonly [file: string, text: string])[] = [
  ['/packages/contract/src/api.ts', `export const API_ROUTES = ${parsed(routes)}`],
  [
    '/packages/contract/src/client-metadata.ts',
    `export const CLIENT_AUTH_METHODS = ${JSON.stringify(CLIENT_AUTH_METHODS)}`,
  ],
  ['/packages/contract/src/signing-keys.ts', `export const SIGNING_ALGORITHMS = ${JSON.stringify(SIGNING_ALGORITHMS)}`],
  ['/packages/console/src/api/sections.ts', `export const SECTIONS = ${parsed(sections)}`],
  [
    '/packages/contract/src/errors.ts',
    `export const API_ERRORS = Object.fromEntries(${JSON.stringify(Object.keys(API_ERRORS))}.map((code) => [code, true]))`,
  ],
]

/** The Vite plugin. */
export const slimContract = (): Plugin => ({
  name: 'slim-contract',
  enforce: 'pre',
  load: (id) => SLIM.find(([file]) => id.endsWith(file))?.[1],
})
