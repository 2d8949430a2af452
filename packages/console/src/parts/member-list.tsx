/** Who belongs to something: users or applications, found by a search, with what can be done to each. */
import { Link } from '@tanstack/react-router'
import { AppWindow, Pencil, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '../languages/languages.ts'
import { Badge } from './badge.tsx'
import { IconButton } from './button.tsx'
import { ListFooter } from './list-footer.tsx'
import { SearchBox } from './search-box.tsx'
import { ErrorState } from './states.tsx'

/** Users, or applications that act for themselves. */
export type MemberKind = 'user' | 'application'

export interface Member {
  readonly id: string
  readonly name: string
  readonly detail?: string | null
  /** Of a user; applications have the same one. */
  readonly picture?: ReactNode
  readonly roles?: readonly { readonly id: string; readonly name: string }[]
}

interface MemberListProps {
  readonly label: string
  readonly kind: MemberKind
  readonly members: readonly Member[] | undefined
  /** Where the members come from. */
  readonly list: {
    readonly data: { readonly total: number; readonly isTotalCapped: boolean } | undefined
    readonly error: unknown
    readonly refetch: () => unknown
  }
  readonly search: string
  readonly onSearch: (search: string) => void
  readonly page: number
  readonly pageSize: number
  readonly onPage: (page: number) => void
  readonly empty: ReactNode
  readonly add?: ReactNode
  /** Absent where it is not permitted. */
  readonly edit?: { readonly label: string; readonly onEdit: (member: Member) => void } | false
  readonly remove: { readonly label: string; readonly onRemove: (member: Member) => void } | false
}

const MemberLine = ({
  member,
  kind,
  edit,
  remove,
}: { readonly member: Member } & Pick<MemberListProps, 'kind' | 'edit' | 'remove'>) => {
  const { id, name, detail, picture, roles = [] } = member
  return (
    <li className="flex flex-wrap items-center gap-3 border-line px-4 py-2.5 not-last:border-b">
      {picture ?? <AppWindow size={18} aria-hidden className="shrink-0 text-soft" />}
      <div className="min-w-32 flex-1">
        <Link
          to={kind === 'user' ? '/users/$id' : '/applications/$id'}
          params={{ id }}
          className="block truncate font-medium hover:underline"
        >
          <bdi>{name}</bdi>
        </Link>
        {detail && <div className="truncate text-soft text-xs">{detail}</div>}
      </div>
      {roles.length > 0 && (
        <div className="flex flex-wrap gap-1.5 max-md:order-last max-md:w-full">
          {roles.map((role) => (
            <Badge key={role.id} tone="accent">
              {role.name}
            </Badge>
          ))}
        </div>
      )}
      <div className="flex">
        {edit && (
          <IconButton label={`${edit.label}: ${name}`} onClick={() => edit.onEdit(member)}>
            <Pencil size={16} />
          </IconButton>
        )}
        {remove && (
          <IconButton label={`${remove.label}: ${name}`} onClick={() => remove.onRemove(member)}>
            <Trash2 size={16} />
          </IconButton>
        )}
      </div>
    </li>
  )
}

export const MemberList = (props: MemberListProps) => {
  const { label, kind, members, list, empty, add, edit, remove } = props
  const { data, error, refetch } = list
  const { search, onSearch, page, pageSize, onPage } = props
  return (
    <div className="overflow-hidden rounded-xl border border-line bg-surface">
      <div className="flex flex-wrap items-center gap-2 border-line border-b p-3">
        <SearchBox
          label={t(kind === 'user' ? 'users.search' : 'applications.search')}
          value={search}
          onSearch={onSearch}
        />
        <span className="ms-auto">{add}</span>
      </div>
      {error ? (
        <ErrorState error={error} retry={refetch} />
      ) : (
        <>
          {members && members.length > 0 && (
            <ul aria-label={label}>
              {members.map((member) => (
                <MemberLine key={member.id} member={member} kind={kind} edit={edit ?? false} remove={remove} />
              ))}
            </ul>
          )}
          <ListFooter
            data={members && data && { ...data, rows: members }}
            page={page}
            pageSize={pageSize}
            isFiltered={search !== ''}
            empty={empty}
            onPage={onPage}
          />
        </>
      )}
    </div>
  )
}
