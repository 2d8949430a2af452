/** What the identity provider asked of a directory lately, and what was changed in it: its part of the log. */
import { Link } from '@tanstack/react-router'
import { ScrollText } from 'lucide-react'
import { usePage } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { buttonClass } from '../../parts/button.tsx'
import { EmptyState, ErrorState, Loading } from '../../parts/states.tsx'
import { Entries } from '../log/entries.tsx'
import { useNameOf } from '../log/names.ts'

const SHOWN = 30

export const Activity = ({ id }: { readonly id: string }) => {
  const { data, error, refetch } = usePage('listLogs', { query: { entity: id, page: 1, page_size: SHOWN } })
  const nameOf = useNameOf()
  if (error) return <ErrorState error={error} retry={refetch} />
  if (!data) return <Loading />
  return (
    <section className="overflow-hidden rounded-xl border border-line bg-surface">
      {data.rows.length === 0 ? (
        <EmptyState icon={<ScrollText size={20} />} title={t('log.none')} text={t('scim.noActivity')} />
      ) : (
        <Entries entries={data.rows} nameOf={nameOf} />
      )}
      <div className="border-line border-t p-3">
        <Link to="/log" search={{ entity: id }} className={buttonClass('ghost')}>
          <ScrollText size={15} aria-hidden />
          {t('scim.allActivity')}
        </Link>
      </div>
    </section>
  )
}
