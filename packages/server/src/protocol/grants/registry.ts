/** The grants of the token endpoint, one flat list; discovery is a function of it. */
import { clientCredentials } from './client-credentials.ts'
import type { Grant } from './grant.ts'

export const GRANTS: readonly Grant[] = [clientCredentials]
