/**
 * Fetches the files of every screen into the cache of the browser, in which they stay, without running them: screens open at once, and
 * also while the connection is lost.
 */

/** How long the first screen, and what is done in it, have the line and the processor for themselves. */
const FIRST_SCREEN_MS = 10_000
/** Between two files where the browser does not say when it is idle. */
const PAUSE_MS = 500

const idle = (): Promise<unknown> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(resolve)
    else setTimeout(resolve, PAUSE_MS)
  })

const fetchAll = async (): Promise<void> => {
  const list = await fetch(`${import.meta.env.BASE_URL}screens.json`, { priority: 'low' })
  for (const file of (await list.json()) as string[]) {
    await idle()
    const answer = await fetch(import.meta.env.BASE_URL + file, { priority: 'low' })
    await answer.arrayBuffer()
  }
}

/** One file after the other, while there is nothing else to do. Not where the user asked to save data. */
export const keepScreensAtHand = (): void => {
  const { connection } = navigator as { connection?: { readonly saveData?: boolean } }
  if (import.meta.env.DEV || connection?.saveData) return
  // what cannot be fetched now is fetched when it is needed
  setTimeout(() => void fetchAll().catch(() => undefined), FIRST_SCREEN_MS)
}
