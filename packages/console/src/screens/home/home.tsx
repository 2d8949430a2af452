/** Home: the first steps until users sign in, then what there is and what happens. */
import { Link } from '@tanstack/react-router'
import { AppWindow, Building2, type LucideIcon, ScrollText, Users } from 'lucide-react'
import { type ListOperation, may, usePage } from '../../api/client.ts'
import { number } from '../../languages/formats.ts'
import { type Phrase, t } from '../../languages/languages.ts'
import { Page } from '../../parts/page.tsx'
import { EmptyState, ErrorState, Loading } from '../../parts/states.tsx'
import { currentTokens } from '../../session/session.ts'
import { Entries } from '../log/entries.tsx'
import { useNameOf } from '../log/names.ts'
import { FirstSteps, useFirstSteps } from './first-steps.tsx'

const LIVE_MS = 4000
const RECENT = 8

const useTotal = (id: 'listApplications' | 'listUsers' | 'listOrganizations') =>
  usePage(id as ListOperation, { query: { page: 1, page_size: 1 } } as never).data

const Tile = ({
  title,
  icon: Icon,
  total,
  to,
}: {
  readonly title: Phrase
  readonly icon: LucideIcon
  readonly total: { readonly total: number; readonly isTotalCapped: boolean } | undefined
  readonly to?: '/applications' | '/users' | '/organizations'
}) => {
  const content = (
    <>
      <span className="flex items-center gap-2 text-soft">
        <Icon size={16} aria-hidden />
        {t(title)}
      </span>
      <span className="mt-1 block font-semibold text-2xl tabular-nums tracking-tight">
        {total === undefined ? '–' : `${number(total.total)}${total.isTotalCapped ? '+' : ''}`}
      </span>
    </>
  )
  const look = 'block rounded-xl border border-line bg-surface px-5 py-4'
  return to === undefined ? (
    <div className={look}>{content}</div>
  ) : (
    <Link to={to} className={`${look} transition-colors hover:border-edge`}>
      {content}
    </Link>
  )
}

const useRecent = () => usePage('listLogs', { query: { page: 1, page_size: RECENT, withoutRenewals: 'true' } }, LIVE_MS)

const Recent = ({ recent: { data, error, refetch } }: { readonly recent: ReturnType<typeof useRecent> }) => {
  const nameOf = useNameOf()
  const entries = data?.rows
  return (
    <section className="mt-4 overflow-hidden rounded-xl border border-line bg-surface">
      <div className="flex items-center border-line border-b px-5 py-3">
        <h2 className="flex-1 font-semibold">{t('home.recent')}</h2>
        <Link to="/log" className="font-medium text-accent hover:underline">
          {t('home.allEntries')}
        </Link>
      </div>
      {error ? (
        <ErrorState error={error} retry={refetch} />
      ) : entries === undefined ? (
        <Loading />
      ) : entries.length === 0 ? (
        <EmptyState icon={<ScrollText size={20} />} title={t('log.none')} text={t('log.noneText')} />
      ) : (
        <Entries entries={entries} nameOf={nameOf} />
      )}
    </section>
  )
}

export const Home = () => {
  const steps = useFirstSteps()
  const recent = useRecent()
  const [applications, users, organizations] = [
    useTotal('listApplications'),
    useTotal('listUsers'),
    useTotal('listOrganizations'),
  ]
  const title = t('home.title', { name: currentTokens().user.name })
  // what stands below the steps is not shown before them: they would push it down
  if (steps === undefined)
    return (
      <Page title={title}>
        <Loading />
      </Page>
    )
  return (
    <Page title={title}>
      {steps && <FirstSteps steps={steps} />}
      <div className="grid gap-4 sm:grid-cols-3">
        {may('listApplications') && (
          <Tile title="nav.applications" icon={AppWindow} total={applications} to="/applications" />
        )}
        {may('listUsers') && <Tile title="nav.users" icon={Users} total={users} to="/users" />}
        {may('listOrganizations') && (
          <Tile title="nav.organizations" icon={Building2} total={organizations} to="/organizations" />
        )}
      </div>
      {may('listLogs') && <Recent recent={recent} />}
    </Page>
  )
}
