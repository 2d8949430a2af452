/**
 * What was typed into a form and not yet sent, kept in this tab: the end of a session, or a reload, loses nothing. It is that of one
 * administrator: another one who signs in does not find it.
 */
const PREFIX = 'console.draft.'
const OWNER = 'console.drafts-of'
const keyOf = (form: string) => `${PREFIX}${form}`

/** Drops what another administrator, or one who has signed out, has typed. @param userId undefined: after a sign-out */
export const keepOnlyDraftsOf = (userId: string | undefined): void => {
  if (userId !== undefined && sessionStorage.getItem(OWNER) === userId) return
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key)
  if (userId === undefined) sessionStorage.removeItem(OWNER)
  else sessionStorage.setItem(OWNER, userId)
}

/** What was kept of this form; undefined when nothing was, or it cannot be read. */
export const draftOf = (form: string): Readonly<Record<string, string>> | undefined => {
  try {
    const text = sessionStorage.getItem(keyOf(form))
    return text === null ? undefined : (JSON.parse(text) as Record<string, string>)
  } catch {
    return undefined
  }
}

/** Keeps what is typed. Secrets are for the caller to leave out. */
export const keepDraft = (form: string, values: Readonly<Record<string, string>>): void =>
  sessionStorage.setItem(keyOf(form), JSON.stringify(values))

/** After it was sent or given up. */
export const dropDraft = (form: string): void => sessionStorage.removeItem(keyOf(form))
