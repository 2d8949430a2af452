/** The navigation: the screens that the administrator may see. */
import { Link } from '@tanstack/react-router'
import { may } from '../api/client.ts'
import { t } from '../languages/languages.ts'
import { MarkIcon } from '../parts/mark.tsx'
import { SCREENS } from './screens.ts'

export const Mark = () => (
  <span className="flex items-center gap-2 font-semibold">
    <MarkIcon size={22} />
    Countersign
  </span>
)

export const Navigation = () => (
  <nav aria-label={t('shell.navigation')}>
    <ul className="space-y-0.5">
      {SCREENS.filter(({ needs }) => may(...needs)).map(({ to, title, icon: Icon }) => (
        <li key={to}>
          <Link
            to={to}
            activeOptions={{ exact: to === '/', includeSearch: false }}
            className="flex h-8 items-center gap-2.5 rounded-lg px-2.5 font-medium text-soft transition-colors hover:bg-hover hover:text-ink max-md:h-11 max-md:text-base"
            activeProps={{ className: 'bg-accent-tint text-accent!' }}
          >
            <Icon size={16} aria-hidden />
            {t(title)}
          </Link>
        </li>
      ))}
    </ul>
  </nav>
)
