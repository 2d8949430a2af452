/** The users: a search that follows the typing, over any number of them. */

import { getRouteApi, Link } from '@tanstack/react-router'
import { FileDown, FileUp, Plus, SearchX, Users } from 'lucide-react'
import { useCallback, useState } from 'react'
import { may, type Row, usePage } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Ago } from '../../parts/ago.tsx'
import { ShowApiCall } from '../../parts/api-call.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Button, buttonClass } from '../../parts/button.tsx'
import { type Column, DataTable, Pager } from '../../parts/data-table.tsx'
import { Page } from '../../parts/page.tsx'
import { SearchBox } from '../../parts/search-box.tsx'
import { EmptyState, ErrorState, Loading } from '../../parts/states.tsx'
import { Avatar } from './avatar.tsx'
import { Bulk, bulkActions } from './bulk.tsx'
import { CreateUser } from './create.tsx'
import { ExportUsers } from './export.tsx'
import { Filters, filterQuery } from './filters.tsx'
import { patternOf, titleOf } from './search.ts'

type User = Row<'listUsers'>
const PAGE_SIZE = 20
const route = getRouteApi('/users')

const when = (at: number | null) =>
  at === null ? <span className="text-soft">{t('users.never')}</span> : <Ago at={at} />

const columns = (chosen: ReadonlyMap<string, User>, choose?: (user: User) => void): Column<User>[] => [
  {
    id: 'user',
    title: t('users.user'),
    cell: (user) => (
      <span className="flex items-center gap-3">
        {choose && (
          <input
            type="checkbox"
            aria-label={t('bulk.choose', { name: titleOf(user) })}
            checked={chosen.has(user.id)}
            onChange={() => choose(user)}
            className="relative z-10 size-4 shrink-0 accent-accent-fill max-md:size-5"
          />
        )}
        <Avatar name={titleOf(user)} picture={user.avatar} />
        <span className="min-w-0">
          <span className="flex items-center gap-2">
            <Link
              to="/users/$id"
              params={{ id: user.id }}
              className="truncate font-medium before:absolute before:inset-0 before:content-['']"
            >
              <bdi>{titleOf(user)}</bdi>
            </Link>
            {user.isSuspended && <Badge tone="bad">{t('users.suspended')}</Badge>}
          </span>
          {user.primaryEmail && user.primaryEmail !== titleOf(user) && (
            <span className="block truncate text-soft text-xs">{user.primaryEmail}</span>
          )}
        </span>
      </span>
    ),
  },
  {
    id: 'username',
    title: t('users.username'),
    isWide: true,
    cell: ({ username }) => <span className="block truncate">{username}</span>,
  },
  {
    id: 'phone',
    title: t('users.phone'),
    isExtra: true,
    isWide: true,
    cell: ({ primaryPhone }) => (primaryPhone ? `+${primaryPhone}` : ''),
  },
  { id: 'lastSignIn', title: t('users.lastSignIn'), isWide: true, cell: ({ lastSignInAt }) => when(lastSignInAt) },
  { id: 'created', title: t('users.created'), isWide: true, cell: ({ createdAt }) => when(createdAt) },
  {
    id: 'id',
    title: t('users.id'),
    isExtra: true,
    isWide: true,
    cell: ({ id }) => <code className="font-mono text-soft text-xs">{id}</code>,
  },
]

export const UserList = () => {
  const { search = '', page = 1, ...filter } = route.useSearch()
  const navigate = route.useNavigate()
  const [isCreating, setCreating] = useState(false)
  const [isExporting, setExporting] = useState(false)
  const [chosen, setChosen] = useState<ReadonlyMap<string, User>>(new Map())
  const leave = ({ id }: User) => setChosen((before) => new Map([...before].filter(([each]) => each !== id)))
  const choose = (user: User) =>
    chosen.has(user.id) ? leave(user) : setChosen((before) => new Map([...before, [user.id, user]]))
  const mayChoose = bulkActions().length > 0
  const filters = filterQuery(filter)
  const isFiltered = search !== '' || Object.keys(filters).length > 0
  const narrowing = { ...(search ? { search: patternOf(search) } : {}), ...filters }
  const query = { page, page_size: PAGE_SIZE, ...narrowing }
  const { data, error, isPlaceholderData, refetch } = usePage('listUsers', { query })
  const onSearch = useCallback(
    (next: string) =>
      void navigate({
        search: ({ page: _page, search: _search, ...before }) => ({ ...before, ...(next ? { search: next } : {}) }),
        replace: true,
      }),
    [navigate],
  )
  const put = (change: Readonly<Record<string, string | undefined>>) =>
    void navigate({ search: (before) => ({ ...before, page: undefined, ...change }) as never, replace: true })
  const create = may('createUser') && (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Plus size={15} aria-hidden />
      {t('users.create')}
    </Button>
  )
  const importLink = may('importUsers') && (
    <Link to="/users/import" className={buttonClass()}>
      <FileUp size={15} aria-hidden />
      {t('import.button')}
    </Link>
  )
  return (
    <Page
      title={t('nav.users')}
      text={t('users.text')}
      actions={
        <>
          <ShowApiCall
            calls={[
              { id: 'listUsers', input: { query } },
              ...(may('exportUsers') ? [{ id: 'exportUsers' as const, input: { body: narrowing } }] : []),
            ]}
          />
          {importLink}
          {may('exportUsers') && (
            <Button onClick={() => setExporting(true)}>
              <FileDown size={15} aria-hidden />
              {t('export.button')}
            </Button>
          )}
          {create}
        </>
      }
    >
      {error ? (
        <ErrorState error={error} retry={refetch} />
      ) : (
        <DataTable
          name="users"
          label={t('nav.users')}
          rows={data?.rows ?? []}
          columns={columns(chosen, mayChoose ? choose : undefined)}
          rowId={({ id }) => id}
          isStale={isPlaceholderData}
          toolbar={
            <>
              <SearchBox label={t('users.search')} value={search} onSearch={onSearch} />
              <Filters filter={filter} put={put} />
              {mayChoose && (data?.rows.length ?? 0) > 0 && chosen.size === 0 && (
                <Button
                  look="ghost"
                  onClick={() => setChosen(new Map(data?.rows.map((user) => [user.id, user] as const)))}
                >
                  {t('bulk.choosePage')}
                </Button>
              )}
              <Bulk chosen={[...chosen.values()]} onDone={leave} onClear={() => setChosen(new Map())} />
            </>
          }
          footer={
            data === undefined ? (
              <Loading />
            ) : data.rows.length === 0 ? (
              isFiltered ? (
                <EmptyState
                  icon={<SearchX size={20} />}
                  title={t('state.noMatch')}
                  text={t(search ? 'users.noMatchText' : 'state.noMatchText')}
                />
              ) : (
                <EmptyState icon={<Users size={20} />} title={t('users.none')} text={t('users.noneText')}>
                  {importLink}
                  {create}
                </EmptyState>
              )
            ) : (
              <Pager
                page={page}
                pageSize={PAGE_SIZE}
                total={data.total}
                isTotalCapped={data.isTotalCapped}
                onPage={(next) => void navigate({ search: (before) => ({ ...before, page: next }) })}
              />
            )
          }
        />
      )}
      {isCreating && <CreateUser onClose={() => setCreating(false)} />}
      {isExporting && <ExportUsers query={narrowing} onClose={() => setExporting(false)} />}
    </Page>
  )
}
