/** How many may open the console, and where they are chosen. */
import { Link } from '@tanstack/react-router'
import { number } from '../../languages/formats.ts'
import { t } from '../../languages/languages.ts'
import { buttonClass } from '../../parts/button.tsx'

interface AdministratorsProps {
  readonly total: number
  /** Who may do everything and is not suspended; undefined: not known. */
  readonly owners: number | undefined
}

export const Administrators = ({ total, owners }: AdministratorsProps) => (
  <section className="mb-4 flex flex-wrap items-center gap-3 rounded-xl border border-line bg-surface px-5 py-4">
    <div className="min-w-48 flex-1">
      <h2 className="font-semibold">{t('nav.administrators')}</h2>
      <p className="text-soft">
        {t('health.administrators', { count: number(total) })}
        {owners !== undefined && ` · ${t('health.owners', { count: number(owners) })}`}
      </p>
    </div>
    <Link to="/settings" className={buttonClass()}>
      {t('health.manageAdministrators')}
    </Link>
  </section>
)
