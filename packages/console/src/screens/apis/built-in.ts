/** The API of this server itself, which is there from the start and belongs to the program. */
import { tenantOrigin } from '../../session/place.ts'

/** Whether an API resource is the Management API. */
export const isBuiltIn = ({ indicator }: { readonly indicator: string }): boolean =>
  indicator === `${tenantOrigin()}/api`
