/** The end of an application: its name has to be typed. */
import { useNavigate } from '@tanstack/react-router'
import { useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { DeleteCard } from '../../parts/delete-card.tsx'
import { notify } from '../../parts/toast.tsx'
import type { Application } from './kinds.ts'

export const DeleteApplication = ({ application: { id, name } }: { readonly application: Application }) => {
  const remove = useChange('deleteApplication')
  const navigate = useNavigate()
  return (
    <DeleteCard
      title={t('application.delete')}
      text={t('application.deleteText')}
      name={name}
      change={remove}
      onDelete={() =>
        remove.mutate(
          { params: { id } },
          {
            onSuccess: () => {
              notify(t('application.deleted', { name }))
              void navigate({ to: '/applications' })
            },
          },
        )
      }
    />
  )
}
