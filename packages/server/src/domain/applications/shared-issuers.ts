/**
 * Platforms with one issuer for all of their customers, so that anyone can have a token of it: a rule has to say which customer is meant
 * (DECISIONS H13). An issuer that is not here is taken to be its operator's own.
 */
import type { FederatedCredential } from '@countersign/contract/federated-credentials.ts'
import { isFixedUpTo } from './claim-patterns.ts'

interface SharedIssuer {
  /** How many parts of `sub` name the customer. */
  readonly subjectParts: number
  /** Claims that name the customer with their first part. */
  readonly claims: readonly string[]
}

const SHARED: ReadonlyMap<string, SharedIssuer> = new Map([
  [
    'https://token.actions.githubusercontent.com',
    {
      subjectParts: 2,
      claims: ['repository', 'repository_id', 'repository_owner', 'repository_owner_id', 'enterprise', 'enterprise_id'],
    },
  ],
  ['https://gitlab.com', { subjectParts: 2, claims: ['project_path', 'project_id', 'namespace_path', 'namespace_id'] }],
  ['https://accounts.google.com', { subjectParts: 1, claims: ['email'] }],
  ['https://agent.buildkite.com', { subjectParts: 2, claims: ['organization_slug', 'organization_id'] }],
  [
    'https://app.terraform.io',
    { subjectParts: 2, claims: ['terraform_organization_name', 'terraform_organization_id'] },
  ],
])

/** What a rule for tokens of a shared issuer lacks; undefined: nothing, or the issuer is not shared. */
export const missingOwner = ({ issuer, subject, claims }: FederatedCredential): string | undefined => {
  const shared = SHARED.get(issuer.replace(/\/$/, ''))
  if (!shared) return undefined
  if (subject !== undefined && isFixedUpTo(subject, shared.subjectParts)) return undefined
  if (claims?.some(({ name, value }) => shared.claims.includes(name) && isFixedUpTo(value, 1))) return undefined
  return `accepts workloads of anyone: everyone can have tokens of this issuer, so the first ${shared.subjectParts} parts of subject, or the first of one of the claims ${shared.claims.join(', ')}, must have no *`
}
