/** The end of an application: its name has to be typed. */
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Card } from '../../parts/page.tsx'
import { notify } from '../../parts/toast.tsx'
import type { Application } from './kinds.ts'

export const DeleteApplication = ({ application: { id, name } }: { readonly application: Application }) => {
  const [isOpen, setOpen] = useState(false)
  const remove = useChange('deleteApplication')
  const navigate = useNavigate()
  return (
    <Card
      title={t('application.delete')}
      text={t('application.deleteText')}
      actions={
        <Button look="warning" onClick={() => setOpen(true)}>
          {t('application.delete')}
        </Button>
      }
    >
      <Confirm
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={t('application.delete')}
        text={t('application.deleteText')}
        action={t('action.delete')}
        typed={name}
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() =>
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
    </Card>
  )
}
