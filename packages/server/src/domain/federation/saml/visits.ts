/**
 * A visit to a SAML identity provider: the address that a user is sent to, and who they are when their browser comes back. The ID of the
 * request is in the nonce of what is expected, and the RelayState is its verifier (SECURITY ).
 */
import { perform, type Work } from '../../../storage/unit-of-work.ts'
import type { Expected } from '../client.ts'
import { FederationFailure } from '../failure.ts'
import type { EnterpriseAccount } from '../provider.ts'
import { samlAccountOf } from './account.ts'
import type { SamlSubject } from './assertion.ts'
import { authnDestination } from './authorization.ts'
import { samlIdentityProvider, signInAddress } from './identity-providers.ts'
import { keepVisit, takeResponse, useAssertion } from './kept-visits.ts'
import { type SamlProvider, type ServiceProvider, serviceProvider } from './provider.ts'
import { readResponse } from './response.ts'
import { signingKeys } from './signing-keys.ts'

const requestIdOf = ({ nonce }: Expected): string => `_${nonce}`

const returnAddress = ({ redirectUri, state }: Expected): string => {
  const url = new URL(redirectUri)
  url.searchParams.set('state', state)
  return url.href
}

const us = async ({ store, tenant }: Work, connectorId: string): Promise<ServiceProvider> =>
  serviceProvider(tenant, connectorId, await signingKeys(store, tenant, connectorId))

interface OfVisit {
  /** Whose visit it is, in place of the one before. */
  readonly interactionId?: string | undefined
  /** Whether the user is to sign in again. */
  readonly isFresh?: boolean
}

/** The address at which the user signs in, or which posts the request. Throws FederationFailure. */
export const samlAddress = async (
  work: Work,
  { at, nameIdFormat }: SamlProvider,
  connectorId: string,
  expected: Expected,
  { interactionId, isFresh = false }: OfVisit,
): Promise<string> => {
  const { store, tenant } = work
  const idp = await samlIdentityProvider(work, at.source)
  signInAddress(store, idp)
  const destination = authnDestination(await us(work, connectorId), idp, {
    requestId: requestIdOf(expected),
    relayState: expected.verifier,
    now: store.clock.now(),
    nameIdFormat,
    isFresh,
  })
  const returnTo = returnAddress(expected)
  const posted = destination.fields ? { posted: destination } : {}
  await perform(work, keepVisit, connectorId, expected.verifier, { returnTo, ...posted }, interactionId)
  return destination.fields
    ? `${tenant.baseUrl}/enterprise-sso/${connectorId}/request?visit=${expected.verifier}`
    : destination.address
}

/** The subject of a response, by the keys that are known or, if it is by none of them, by those that are published now. */
const subjectOf = async (
  work: Work,
  { at: { source } }: SamlProvider,
  connectorId: string,
  response: string,
  requestId: string | undefined,
): Promise<{ subject: SamlSubject; issuer: string }> => {
  const { store } = work
  const party = await us(work, connectorId)
  const idp = await samlIdentityProvider(work, source)
  const read = (known: typeof idp) =>
    readResponse(response, party, known, {
      now: store.clock.now(),
      issuer: known.entityId,
      audience: party.entityId,
      recipient: party.acs,
      requestId,
    })
  try {
    return { subject: await read(idp), issuer: idp.entityId }
  } catch (error) {
    if (!(error instanceof FederationFailure) || !error.message.startsWith('the signature is not by')) throw error
    const renewed = await samlIdentityProvider(work, source, true)
    if (renewed === idp || source.metadataUrl === undefined) throw error
    return { subject: await read(renewed), issuer: renewed.entityId }
  }
}

/**
 * Who is signed in by a response. Throws FederationFailure, also for an assertion that has been used.
 * @param requestId undefined: the identity provider began
 */
export const samlAccountIn = async (
  work: Work,
  provider: SamlProvider,
  connectorId: string,
  response: string,
  requestId: string | undefined,
): Promise<EnterpriseAccount> => {
  const { subject, issuer } = await subjectOf(work, provider, connectorId, response, requestId)
  if (!(await perform(work, useAssertion, issuer, subject.assertionId, subject.usableUntil)))
    throw new FederationFailure('assertion', 'the assertion has been used before')
  return samlAccountOf(subject, provider.attributes, issuer)
}

/** Who came back. Throws FederationFailure. @param parameters those with which the user came back, of which `code` counts */
export const samlAccountAt = async (
  work: Work,
  provider: SamlProvider,
  connectorId: string,
  expected: Expected,
  parameters: URLSearchParams,
): Promise<EnterpriseAccount> => {
  const response = await perform(work, takeResponse, connectorId, expected.verifier, parameters.get('code') ?? '')
  if (response === undefined)
    throw new FederationFailure('response', 'no response of the identity provider has come in this browser')
  return samlAccountIn(work, provider, connectorId, response, requestIdOf(expected))
}
