/** The administrator's own menu. What is in it is loaded once the pointer, or the focus, comes near. */
import { ChevronsUpDown } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
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

export const AccountMenu = () => {
  const [isWanted, setWanted] = useState(false)
  // what could not be loaded yet is loaded when it is opened
  const prepare = () => void load().catch(() => undefined)
  const button = (
    <button
      type="button"
      aria-haspopup="menu"
      aria-expanded={false}
      className={accountClass}
      onClick={() => setWanted(true)}
      onPointerEnter={prepare}
      onFocus={prepare}
    >
      <AccountLabel />
    </button>
  )
  return isWanted ? (
    <Suspense fallback={button}>
      <AccountChoices />
    </Suspense>
  ) : (
    button
  )
}
