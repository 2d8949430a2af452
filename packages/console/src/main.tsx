/** Opens the session and shows the console; what keeps it from opening is said in words. */
import { CSPProvider } from '@base-ui/react/csp-provider'
import { ManagementApiError } from '@countersign/contract'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { isPassing } from './api/failure.ts'
import { loadLanguage, preferredLanguage } from './languages/languages.ts'
import { loadScreensWhenIdle, router } from './router.tsx'
import { CONSOLE } from './session/authorization.ts'
import { openSession, SessionEnded } from './session/session.ts'
import { NotOpened } from './shell/not-opened.tsx'
import { applyTheme } from './shell/theme.ts'

const RETRIES = 2
const LONGEST_PAUSE_MS = 15_000

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5000,
      // what the browser knows of networks says nothing about a server on this machine
      networkMode: 'always',
      // an answer is an answer: only what got none, or found the server busy, is asked again; until it can be reached, if need be
      retry: (count, error) =>
        isPassing(error) ||
        (count < RETRIES &&
          !(error instanceof SessionEnded) &&
          !(error instanceof ManagementApiError && error.status < 500)),
      retryDelay: (count) => Math.min(1000 * 2 ** count, LONGEST_PAUSE_MS),
    },
    // sent at once or not at all: nothing is kept to be sent when nobody expects it
    mutations: { networkMode: 'always' },
  },
})

const root = createRoot(document.getElementById('console') ?? document.body)
applyTheme()
// the screen is on its way while the session is opened
const isTrial = location.pathname === `${CONSOLE}/try`
if (location.pathname !== `${CONSOLE}/callback` && !isTrial) void router.load()
await loadLanguage(preferredLanguage())
try {
  // whoever is signed in there need not be an administrator
  if (isTrial) (await import('./screens/try/try.tsx')).showTry(root)
  else if (await openSession()) {
    root.render(
      <StrictMode>
        <CSPProvider disableStyleElements>
          <QueryClientProvider client={queries}>
            <RouterProvider router={router} />
          </QueryClientProvider>
        </CSPProvider>
      </StrictMode>,
    )
    loadScreensWhenIdle()
  }
} catch (error) {
  root.render(<NotOpened error={error} />)
}
