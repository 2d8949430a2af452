/** What happened to a user and what they did: the log, of this user only. */
import { Link } from '@tanstack/react-router'
import { ScrollText } from 'lucide-react'
import { usePage } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { buttonClass } from '../../parts/button.tsx'
import { EmptyState, ErrorState, Loading } from '../../parts/states.tsx'
import { Entries } from '../log/entries.tsx'
import { useNameOf } from '../log/names.ts'

const SHOWN = 30

export const Timeline = ({ id, name }: { readonly id: string; readonly name: string }) => {
  const { data, error, refetch } = usePage('listLogs', {
    query: { userId: id, withoutRenewals: 'true', page: 1, page_size: SHOWN },
  })
  const nameOf = useNameOf({ id, name })
  return (
    <section className="overflow-hidden rounded-xl border border-line bg-surface">
      {error ? (
        <ErrorState error={error} retry={refetch} />
      ) : data === undefined ? (
        <Loading />
      ) : data.rows.length === 0 ? (
        <EmptyState icon={<ScrollText size={20} />} title={t('log.none')} text={t('user.noActivity')} />
      ) : (
        <Entries entries={data.rows} nameOf={nameOf} />
      )}
      <div className="border-line border-t p-3">
        <Link to="/log" search={{ entity: id }} className={buttonClass('ghost')}>
          <ScrollText size={15} aria-hidden />
          {t('user.changesToThem')}
        </Link>
      </div>
    </section>
  )
}
