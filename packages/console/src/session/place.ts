/** Where the console is, and where its tenant: the server says both in the document. They differ where the console has an admin host. */

const said = (name: string): string =>
  document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.content ?? location.origin

/** The origin that the console belongs at, wherever it was opened. */
export const consoleOrigin = (): string => said('console')

/** The base URL of the tenant: of its issuer, its Management API, its pages, and every address that others are given. */
export const tenantOrigin = (): string => said('tenant')
