/** A button that opens a menu, whose code is loaded once the pointer, or the focus, comes near. */
import { type ReactNode, Suspense, useState } from 'react'

/**
 * @param load fetches the code of the menu
 * @param menu a lazy component: the same button with its menu, open from the start
 */
export const MenuButton = ({
  load,
  menu,
  className,
  children,
}: {
  readonly load: () => Promise<unknown>
  readonly menu: ReactNode
  readonly className: string
  readonly children: ReactNode
}) => {
  const [isWanted, setWanted] = useState(false)
  // what could not be loaded yet is loaded when it is opened
  const prepare = () => void load().catch(() => undefined)
  const button = (
    <button
      type="button"
      aria-haspopup="menu"
      aria-expanded={false}
      className={className}
      onClick={() => setWanted(true)}
      onPointerEnter={prepare}
      onFocus={prepare}
    >
      {children}
    </button>
  )
  return isWanted ? <Suspense fallback={button}>{menu}</Suspense> : button
}
