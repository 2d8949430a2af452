/** The types of authorization details that an API understands (RFC 9396); one of them at a time to change. */
import { Pencil, Plus } from 'lucide-react'
import { may, useAnswer } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { ItemList } from '../../parts/item-list.tsx'
import { DetailsType } from './details-type.tsx'

interface DetailsTypesProps {
  readonly resourceId: string
  /** The API is that of the server. */
  readonly isFixed: boolean
  /** Which one is open: `new`, or an id. */
  readonly typeId: string | undefined
  readonly go: (typeId: string | undefined) => void
}

export const DetailsTypes = ({ resourceId, isFixed, typeId, go }: DetailsTypesProps) => {
  const { data, error } = useAnswer('listAuthorizationDetailsTypes', { params: { resourceId } }, typeId === undefined)
  if (typeId !== undefined) return <DetailsType resourceId={resourceId} typeId={typeId} isFixed={isFixed} go={go} />
  return (
    <ItemList
      title={t('details.types')}
      text={t('details.typesText')}
      items={data?.map(({ id, type, description }) => ({
        id,
        title: <code className="font-mono text-[0.8125rem]">{type}</code>,
        detail: description,
        actions: (
          <IconButton label={`${t('details.edit')}: ${type}`} onClick={() => go(id)}>
            <Pencil size={16} />
          </IconButton>
        ),
      }))}
      error={error}
      none={t('details.none')}
      actions={
        !isFixed &&
        may('createAuthorizationDetailsType') && (
          <Button look="primary" onClick={() => go('new')}>
            <Plus size={15} aria-hidden />
            {t('details.add')}
          </Button>
        )
      }
    />
  )
}
