/** `/signal-streams`: the streams of receivers of Shared Signals. */
import { signalStreamRoutes } from '@countersign/contract/signal-streams.ts'
import { findClient } from '../domain/applications/clients.ts'
import {
  type Backlog,
  backlogOf,
  deleteStreamByOperator,
  listStreams,
  setStatusByOperator,
} from '../domain/signals/operator.ts'
import { deliveredEvents, receiverOf, type StreamRow } from '../domain/signals/rows.ts'
import { bind } from '../http/api.ts'
import type { Tenant } from '../kernel/tenant.ts'
import type { Store } from '../storage/store.ts'

const NOTHING: Backlog = { waiting: 0, oldestAt: null }

const toStream = async (store: Store, tenant: Tenant, row: StreamRow, { waiting, oldestAt } = NOTHING) => {
  const client = await findClient(store, tenant, row.application_id)
  const receiver = receiverOf(client)
  const delivery: 'poll' | 'push' = row.endpoint_url === null ? 'poll' : 'push'
  return {
    id: row.id,
    application: { id: row.application_id, name: client?.name ?? row.application_id },
    description: row.description,
    delivery,
    endpointUrl: row.endpoint_url,
    events: receiver ? deliveredEvents(receiver, row) : [],
    status: row.status,
    statusReason: row.status_reason,
    statusSetBy: row.status_set_by,
    waitingCount: waiting,
    oldestWaitingAt: oldestAt?.getTime() ?? null,
    lastError: row.last_error,
    lastErrorAt: row.last_error_at?.getTime() ?? null,
    failingSince: row.failing_since?.getTime() ?? null,
    activeAt: row.active_at.getTime(),
    createdAt: row.created_at.getTime(),
  }
}

export const signalStreamHandlers = bind(signalStreamRoutes, {
  async listSignalStreams(_request, { store, tenant, page }) {
    const { items, ...rest } = await listStreams(store, tenant, page)
    const backlogs = await backlogOf(
      store,
      tenant,
      items.map(({ id }) => id),
    )
    return { ...rest, items: await Promise.all(items.map((row) => toStream(store, tenant, row, backlogs.get(row.id)))) }
  },
  async setSignalStreamStatus({ params: { id }, body: { status, reason = null } }, { store, tenant, perform }) {
    const row = await perform(setStatusByOperator, id, status, reason)
    return toStream(store, tenant, row, (await backlogOf(store, tenant, [id])).get(id))
  },
  async deleteSignalStream({ params }, { perform }) {
    await perform(deleteStreamByOperator, params.id)
  },
})
