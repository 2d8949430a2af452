/** The frame around every screen: navigation, search, the administrator's menu. */
import { Outlet, useRouterState } from '@tanstack/react-router'
import { Lock, Menu as MenuIcon, Search, X } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { may } from '../api/client.ts'
import { t } from '../languages/languages.ts'
import { IconButton } from '../parts/button.tsx'
import { Page } from '../parts/page.tsx'
import { EmptyState } from '../parts/states.tsx'
import { Notices } from '../parts/toast.tsx'
import { AccountMenu } from './account-menu.tsx'
import { ActingNotice } from './acting-notice.tsx'
import { ConnectionNotice } from './connection-notice.tsx'
import { Encounter } from './encounter.tsx'
import { Interruption } from './interruption.tsx'
import { Mark, Navigation } from './navigation.tsx'
import { SCREENS, type Screen } from './screens.ts'

const Palette = lazy(() => import('./palette.tsx'))

/** Whether the palette is open; Ctrl K or ⌘ K opens it. */
const usePalette = () => {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      setOpen((before) => !before)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return { isOpen, open: () => setOpen(true), close: () => setOpen(false) }
}

/** The screen at a path that the administrator may not see: an address can come from another administrator. */
const forbiddenAt = (path: string): Screen | undefined =>
  SCREENS.find(({ to, needs }) => to !== '/' && (path === to || path.startsWith(`${to}/`)) && !may(...needs))

export const Shell = () => {
  const palette = usePalette()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const forbidden = forbiddenAt(path)
  const [opened, setOpened] = useState<string>()
  // the navigation of a phone closes when it has led somewhere
  const isOpen = opened === path
  return (
    <div className="flex min-h-dvh max-md:flex-col">
      <a
        href="#content"
        className="sr-only z-60 rounded-lg bg-raised px-3 py-2 focus:not-sr-only focus:fixed focus:start-2 focus:top-2"
      >
        {t('shell.skip')}
      </a>
      <header className="sticky top-0 z-30 flex h-14 items-center gap-1 border-line border-b bg-surface px-3 md:hidden">
        <IconButton
          label={isOpen ? t('shell.hideNavigation') : t('shell.showNavigation')}
          aria-expanded={isOpen}
          onClick={() => setOpened(isOpen ? undefined : path)}
        >
          {isOpen ? <X size={18} /> : <MenuIcon size={18} />}
        </IconButton>
        <Mark />
        <span className="flex-1" />
        <IconButton label={t('shell.search')} onClick={palette.open}>
          <Search size={18} />
        </IconButton>
      </header>
      <aside
        className={`z-20 flex w-60 shrink-0 flex-col gap-1 border-line border-e bg-surface p-3 max-md:fixed max-md:inset-x-0 max-md:top-14 max-md:bottom-0 max-md:w-full max-md:overflow-y-auto md:sticky md:top-0 md:h-dvh ${isOpen ? '' : 'max-md:hidden'}`}
      >
        <div className="flex h-10 items-center px-2 max-md:hidden">
          <Mark />
        </div>
        <button
          type="button"
          onClick={palette.open}
          className="mb-2 flex h-8 items-center gap-2 rounded-lg border border-line bg-canvas px-2.5 text-soft hover:border-edge max-md:hidden"
        >
          <Search size={15} aria-hidden />
          <span className="flex-1 text-start">{t('shell.search')}</span>
          <kbd aria-hidden className="font-sans text-xs">
            {navigator.platform.startsWith('Mac') ? '⌘' : 'Ctrl'} K
          </kbd>
        </button>
        <Navigation />
        <span className="flex-1" />
        <AccountMenu />
      </aside>
      <main id="content" tabIndex={-1} className="min-w-0 flex-1 outline-none">
        <ActingNotice />
        {forbidden ? (
          <Page title={t(forbidden.title)}>
            <EmptyState icon={<Lock size={20} />} title={t('state.noPermission')} />
          </Page>
        ) : (
          <Outlet />
        )}
      </main>
      {palette.isOpen && (
        <Suspense>
          <Palette onClose={palette.close} />
        </Suspense>
      )}
      <ConnectionNotice />
      <Interruption />
      <Encounter />
      <Notices />
    </div>
  )
}
