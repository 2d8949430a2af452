/** The frame of a screen: where one is, its title, what can be done here. */
import { Link } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { t } from '../languages/languages.ts'
import type { Screen } from '../shell/screens.ts'

interface PageProps {
  readonly title: string
  readonly text?: string
  /** The list that this is one of. */
  readonly up?: { readonly to: Screen['to'] | '/organizations/template'; readonly title: string }
  readonly badge?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}

export const Page = ({ title, text, up, badge, actions, children }: PageProps) => {
  useEffect(() => {
    document.title = t('page.title', { title })
  }, [title])
  return (
    <div className="mx-auto max-w-6xl px-4 pt-6 pb-16 md:px-8 md:pt-8">
      {up && (
        <Link to={up.to} className="-ms-1 mb-2 inline-flex items-center gap-1 rounded text-soft hover:text-ink">
          <ChevronLeft size={15} aria-hidden className="rtl:rotate-180" />
          {up.title}
        </Link>
      )}
      <div className="mb-6 flex flex-wrap items-start gap-x-4 gap-y-3">
        <div className="min-w-0 flex-1 basis-72">
          <div className="flex flex-wrap items-center gap-2">
            <h1 className="wrap-anywhere font-semibold text-xl tracking-tight">
              <bdi>{title}</bdi>
            </h1>
            {badge}
          </div>
          {text && <p className="wrap-anywhere mt-0.5 max-w-2xl text-soft">{text}</p>}
        </div>
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </div>
      {children}
    </div>
  )
}

/** A part of a screen with a title of its own. */
export const Card = ({
  title,
  text,
  actions,
  children,
}: {
  readonly title: string
  readonly text?: string
  readonly actions?: ReactNode
  readonly children: ReactNode
}) => (
  <section className="mb-4 rounded-xl border border-line bg-surface">
    <div className="flex flex-wrap items-center gap-3 px-5 pt-4">
      <div className={`min-w-0 flex-1 ${text ? 'basis-56' : ''}`}>
        <h2 className="wrap-anywhere font-semibold">{title}</h2>
        {text && <p className="wrap-anywhere text-soft">{text}</p>}
      </div>
      {actions}
    </div>
    <div className="px-5 pt-3 pb-5 empty:pt-0 empty:pb-4">{children}</div>
  </section>
)
