/** The administrator's own menu. */
import { ChevronsUpDown } from 'lucide-react'
import { lazy } from 'react'
import { MenuButton } from '../parts/menu-button.tsx'
import { currentTokens } from '../session/session.ts'

const load = () => import('./account-choices.tsx')
const AccountChoices = lazy(async () => ({ default: (await load()).AccountChoices }))

/** Of the button that opens it. */
export const accountClass = 'flex h-11 w-full items-center gap-2.5 rounded-lg px-2 text-start hover:bg-hover'

/** Who is signed in. */
export const AccountLabel = () => {
  const { user } = currentTokens()
  return (
    <>
      {user.picture ? (
        <img src={user.picture} alt="" className="size-7 rounded-full object-cover" />
      ) : (
        <span
          aria-hidden
          className="flex size-7 items-center justify-center rounded-full bg-accent-tint font-semibold text-accent text-xs uppercase"
        >
          {user.name.slice(0, 1)}
        </span>
      )}
      <span className="min-w-0 flex-1 truncate font-medium">{user.name}</span>
      <ChevronsUpDown size={15} aria-hidden className="text-soft" />
    </>
  )
}

export const AccountMenu = () => (
  <MenuButton load={load} menu={<AccountChoices />} className={accountClass}>
    <AccountLabel />
  </MenuButton>
)
