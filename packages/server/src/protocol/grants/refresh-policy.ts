/** When an application gets refresh tokens, how long they live, and whether they rotate (DECISIONS G3, G4). */
import type { Client } from '../../domain/applications/clients.ts'
import { CONSOLE_ID } from '../../domain/applications/console.ts'
import type { Confirmation } from '../../domain/issued/confirmation.ts'

const DAY = 86_400
const DEFAULT_DAYS = 14

/**
 * With offline_access, or if the application is set to always; the console never (DECISIONS U2), nor an application that registered
 * itself without the grant.
 */
export const usesRefreshTokens = ({ id, metadata, grantTypes }: Client, scopes: readonly string[]): boolean =>
  id !== CONSOLE_ID &&
  (grantTypes?.includes('refresh_token') ?? true) &&
  (scopes.includes('offline_access') || metadata.alwaysIssueRefreshToken === true)

/** Seconds. */
export const refreshLifetime = ({ metadata }: Client): number =>
  metadata.refreshTokenTtlInDays
    ? metadata.refreshTokenTtlInDays * DAY
    : (metadata.refreshTokenTtl ?? DEFAULT_DAYS * DAY)

/**
 * What its refresh tokens are bound to: of a public client whatever its access token is bound to; those of a confidential client are
 * bound to it by its authentication (RFC 9449 section 5, RFC 8705 sections 4 and 6.3).
 */
export const refreshBinding = (
  { isConfidential }: Client,
  confirmation: Confirmation | undefined,
): Confirmation | undefined => (isConfidential ? undefined : confirmation)

/** Those of public clients always (RFC 9700 section 4.14.2), those of confidential ones when they ask for it. */
export const rotates = ({ isConfidential, metadata }: Client): boolean =>
  !isConfidential || metadata.rotateRefreshToken === true

/** Whether using a family extends its lifetime. Not in a browser: there a family ends when it was first meant to. */
export const slides = ({ type }: Client): boolean => type !== 'SPA'
