/** Sign-in that begins at the identity provider of an SSO connector, in the file: its application is identified by name. */
import { isDeepStrictEqual } from 'node:util'
import type { DeclaredSsoConnector } from '@countersign/contract/declaration.ts'
import {
  deleteIdpInitiated,
  findIdpInitiated,
  type IdpInitiated,
  idpInitiatedOf,
  putIdpInitiated,
} from '../domain/federation/enterprise/idp-initiated.ts'
import type { Unit } from '../storage/unit-of-work.ts'
import { readApplications } from './applications.ts'
import { Fault, type Path } from './fault.ts'
import { at, findByName } from './journal.ts'

type Declared = NonNullable<DeclaredSsoConnector['idpInitiatedAuthConfig']>

/** What a file says of it; what is as it would be without being named is left out. */
const fieldsOf = ({ redirectUri, authParameters, isSentByServer, clientCallbackUri }: IdpInitiated) => ({
  autoSendAuthorizationRequest: isSentByServer,
  ...(redirectUri === null ? {} : { redirectUri }),
  ...(Object.keys(authParameters).length > 0 ? { authParameters } : {}),
  ...(clientCallbackUri === null ? {} : { clientIdpInitiatedAuthCallbackUri: clientCallbackUri }),
})

/** The same of a file, which may name what is left out. */
const withoutDefaults = ({ defaultApplication: _name, redirectUri, authParameters = {}, ...rest }: Declared) => ({
  ...rest,
  ...(redirectUri ? { redirectUri } : {}),
  ...(Object.keys(authParameters).length > 0 ? { authParameters } : {}),
})

/** Brings a connector to what the file says, if it says anything. @returns whether that changed something. Throws Fault */
export const applyIdpInitiated = async (
  unit: Unit,
  connectorId: string,
  { idpInitiatedAuthConfig: declared }: DeclaredSsoConnector,
  connector: Path,
): Promise<boolean> => {
  if (declared === undefined) return false
  const path = [...connector, 'idpInitiatedAuthConfig']
  const before = await findIdpInitiated(unit.tx, unit.tenant, connectorId)
  if (declared === null) {
    if (before) await at(path, () => deleteIdpInitiated.run(unit, connectorId))
    return before !== undefined
  }
  const { defaultApplication: name } = declared
  const named = [...path, 'defaultApplication']
  const application = findByName(await readApplications(unit), 'applications', name, named)
  if (!application) throw new Fault(named, `there is no application ${name}`)
  const wanted = withoutDefaults(declared)
  if (before?.applicationId === application.id && isDeepStrictEqual(fieldsOf(before), wanted)) return false
  await at(path, () => putIdpInitiated.run(unit, connectorId, { ...wanted, defaultApplicationId: application.id }))
  return true
}

/** As a file has it, by connector; nothing where it is off. */
export const declaredIdpInitiated = async (
  unit: Unit,
): Promise<(connectorId: string) => Pick<DeclaredSsoConnector, 'idpInitiatedAuthConfig'>> => {
  const present = await idpInitiatedOf(unit)
  const applications = present.length > 0 ? await readApplications(unit) : []
  return (connectorId) => {
    const config = present.find((each) => each.connectorId === connectorId)
    const application = applications.find(({ id }) => id === config?.applicationId)
    if (!config || !application) return {}
    return { idpInitiatedAuthConfig: { defaultApplication: application.name, ...fieldsOf(config) } }
  }
}
