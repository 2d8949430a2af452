/**
 * Ids of clients that are the address of a document about them (OAuth Client ID Metadata Document, DECISIONS Z3). All begin with `https:`,
 * which no id does that this server makes, so that an id says by itself what it is.
 */

/** Whether an id is, or stands for, the address of a document. Does not check that it is an address. */
export const isDocumentId = (id: string): boolean => id.startsWith('https:')

/** How a client is named to those who read about what it did: an application has an id, another client an address. */
export const clientReference = (id: string): { readonly applicationId: string } | { readonly cimdClientId: string } =>
  isDocumentId(id) ? { cimdClientId: id } : { applicationId: id }

/** The same where both members are always there, and the other one, or both, are null. */
export const clientMembers = (
  id: string | null,
): { readonly applicationId: string | null; readonly cimdClientId: string | null } => ({
  applicationId: null,
  cimdClientId: null,
  ...(id === null ? {} : clientReference(id)),
})
