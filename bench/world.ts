/**
 * What the scenarios measure: a running server with an API, a role that may read and write it, and one application
 * that holds the role; and the bare handler.
 */
import { join } from 'node:path'
import type { Client } from '@countersign/contract/client.ts'
import { connectClient } from '@countersign/server/storage/client.ts'
import type pg from 'pg'
import { type Child, startChild } from './child.ts'
import type { Installation, ServerNode } from './installation.ts'
import { type Confidential, managementOf, registerApplication } from './management.ts'

export interface World {
  readonly installation: Installation
  readonly server: ServerNode
  readonly bare: Child & { readonly port: number }
  readonly api: Client
  readonly database: pg.Client
  readonly roleId: string
  readonly application: Confidential
  /** Shorter and fewer rounds: to check that it runs, not for figures to quote. */
  readonly quick: boolean
  /** Closes the connection to the database, so that the database can stop. */
  close(): Promise<void>
}

/** Resource and scopes of every measured token request. */
export const ASKED = { resource: 'https://orders.example/api', scope: 'read:orders write:orders' }

const arrange = async (api: Client) => {
  const resource = await api.createResource({ body: { name: 'Orders', indicator: ASKED.resource } })
  const scopeIds: string[] = []
  for (const name of ASKED.scope.split(' ')) {
    scopeIds.push((await api.createScope({ params: { resourceId: resource.id }, body: { name } })).id)
  }
  const role = await api.createRole({ body: { name: 'Clerk', description: '', type: 'MachineToMachine', scopeIds } })
  const application = await registerApplication(api, { name: 'Worker', type: 'MachineToMachine' })
  await api.addApplicationRoles({ params: { applicationId: application.clientId }, body: { roleIds: [role.id] } })
  return { roleId: role.id, application }
}

export const createWorld = async (installation: Installation, quick: boolean): Promise<World> => {
  const server = await installation.startServer()
  const api = await managementOf(installation)
  const { roleId, application } = await arrange(api)
  const database = await connectClient(installation.databaseUrl)
  const { clientId, clientSecret } = application
  const bare = await startChild('node', ['bench/bare.ts', clientId, clientSecret], {
    log: join(installation.dataDir, 'bare.log'),
    isReady: (line) => /^\d+$/.test(line),
  })
  return {
    installation,
    server,
    bare: { ...bare, port: Number(bare.readyLine) },
    api,
    database,
    roleId,
    application,
    quick,
    close: () => database.end(),
  }
}
