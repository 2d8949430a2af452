/** The console on its page, with what it reads; what keeps it from opening is said in words. */
import { CSPProvider } from '@base-ui/react/csp-provider'
import { ManagementApiError } from '@countersign/contract'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { isPassing, isTimeout } from './api/failure.ts'
import { withPhrases } from './languages/languages.ts'
import { router } from './router.tsx'
import { CONSOLE } from './session/authorization.ts'
import { SessionEnded } from './session/session.ts'
import { keepScreensAtHand } from './shell/at-hand.ts'
import { NotOpened } from './shell/not-opened.tsx'

const RETRIES = 2
const LONGEST_PAUSE_MS = 15_000

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5000,
      // what the browser knows of networks says nothing about a server on this machine
      networkMode: 'always',
      // an answer is an answer: only what got none, or found the server busy, is asked again; until it can be reached, if need be. What
      // was waited for in vain is told at once
      retry: (count, error) =>
        !isTimeout(error) &&
        (isPassing(error) ||
          (count < RETRIES &&
            !(error instanceof SessionEnded) &&
            !(error instanceof ManagementApiError && error.status < 500))),
      retryDelay: (count) => Math.min(1000 * 2 ** count, LONGEST_PAUSE_MS),
    },
    // sent at once or not at all: nothing is kept to be sent when nobody expects it
    mutations: { networkMode: 'always' },
  },
})

/**
 * Shows the screen of the address, or what keeps the console from opening.
 * @param session whether it is open; undefined: the page of a sign-in that is tried, which needs none
 */
export const show = async (phrases: Promise<void>, session: Promise<boolean> | undefined): Promise<void> => {
  const root = createRoot(document.getElementById('console') ?? document.body)
  // the screen is on its way while the session is opened
  if (session && location.pathname !== `${CONSOLE}/callback`) void router.load()
  try {
    await phrases
    if (!session) (await withPhrases(import('./screens/try/try.tsx'))).showTry(root)
    else if (await session) {
      // in slices: the page answers while its frame is made
      startTransition(() =>
        root.render(
          <StrictMode>
            <CSPProvider disableStyleElements>
              <QueryClientProvider client={queries}>
                <RouterProvider router={router} />
              </QueryClientProvider>
            </CSPProvider>
          </StrictMode>,
        ),
      )
      keepScreensAtHand()
    }
  } catch (error) {
    root.render(<NotOpened error={error} />)
  }
}
