/** The first module of the console: opens the session and loads the phrases while the rest of the code is on its way. */
import { prepareFormats } from './languages/formats.ts'
import { loadLanguage, preferredLanguage, t } from './languages/languages.ts'
import { CONSOLE } from './session/authorization.ts'
import { openSession } from './session/session.ts'
import { applyTheme } from './shell/theme.ts'

applyTheme()
const phrases = loadLanguage(preferredLanguage())
// whoever tries a sign-in need not be an administrator
const session = location.pathname === `${CONSOLE}/try` ? undefined : openSession()
// the code may come later than their ends: it says what failed
void Promise.allSettled([phrases, session])
// while their answers are on their way
prepareFormats()
// React is read in a task of its own, before what is built with it
void import('react-dom/client').catch(() => undefined)
import('./main.tsx').then(
  ({ show }) => show(phrases, session),
  () => {
    const place = document.getElementById('console')
    if (place) place.textContent = t('connection.lost')
  },
)
