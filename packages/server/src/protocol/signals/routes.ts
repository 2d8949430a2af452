/** The endpoints of Shared Signals, one flat list. */
import type { SignalFeed } from '../../domain/signals/feed.ts'
import type { Endpoint } from '../../http/exchange.ts'
import { ofProtectedResource } from '../../http/resource-metadata.ts'
import type { Store } from '../../storage/store.ts'
import { forApplications, oidcEndpoint } from '../endpoint.ts'
import { pollEndpoint } from './poll.ts'
import {
  changeOwnStream,
  changeStatus,
  changeSubject,
  createOwnStream,
  deleteOwnStream,
  readStatus,
  readStreams,
  requestVerification,
} from './streams.ts'

/** What receivers call, with a token for `/oidc/ssf`. */
export const signalEndpoints = (store: Store, feed: SignalFeed): Endpoint[] => {
  const { log } = store
  return [
    oidcEndpoint(log, 'GET', '/ssf/streams', readStreams(store)),
    oidcEndpoint(log, 'POST', '/ssf/streams', createOwnStream(store)),
    oidcEndpoint(log, 'PATCH', '/ssf/streams', changeOwnStream(store, false)),
    oidcEndpoint(log, 'PUT', '/ssf/streams', changeOwnStream(store, true)),
    oidcEndpoint(log, 'DELETE', '/ssf/streams', deleteOwnStream(store)),
    oidcEndpoint(log, 'GET', '/ssf/status', readStatus(store)),
    oidcEndpoint(log, 'POST', '/ssf/status', changeStatus(store)),
    oidcEndpoint(log, 'POST', '/ssf/subjects/add', changeSubject(store, true)),
    oidcEndpoint(log, 'POST', '/ssf/subjects/remove', changeSubject(store, false)),
    oidcEndpoint(log, 'POST', '/ssf/verification', requestVerification(store)),
    oidcEndpoint(log, 'POST', '/ssf/poll/:id', pollEndpoint(store, feed)),
  ].map((endpoint) => forApplications(ofProtectedResource('/oidc/ssf')(endpoint)))
}
