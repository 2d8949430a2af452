/** What is done to a user as a whole: suspend, reactivate, delete. */
import { useNavigate } from '@tanstack/react-router'
import { Ban, RotateCcw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type Answer, may, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { notify } from '../../parts/toast.tsx'
import { titleOf } from './search.ts'

export const UserActions = ({ user }: { readonly user: Answer<'getUser'> }) => {
  const { id, isSuspended } = user
  const name = titleOf(user)
  const [asked, ask] = useState<'suspend' | 'delete'>()
  const suspend = useChange('suspendUser')
  const remove = useChange('deleteUser')
  const navigate = useNavigate()
  const close = () => {
    ask(undefined)
    suspend.reset()
    remove.reset()
  }
  const put = (next: boolean) =>
    suspend.mutate(
      { params: { userId: id }, body: { isSuspended: next } },
      {
        onSuccess: () => {
          close()
          notify(t(next ? 'user.suspended' : 'user.reactivated', { name }), next ? undefined : () => put(true))
        },
      },
    )
  return (
    <>
      {may('suspendUser') &&
        (isSuspended ? (
          <Button onClick={() => put(false)} isBusy={suspend.isPending}>
            <RotateCcw size={15} aria-hidden />
            {t('user.reactivate')}
          </Button>
        ) : (
          <Button onClick={() => ask('suspend')}>
            <Ban size={15} aria-hidden />
            {t('user.suspend')}
          </Button>
        ))}
      {may('deleteUser') && (
        <Button look="warning" onClick={() => ask('delete')}>
          <Trash2 size={15} aria-hidden />
          {t('action.delete')}
        </Button>
      )}
      {asked === 'suspend' && (
        <Confirm
          isOpen
          onClose={close}
          title={t('user.suspendTitle', { name })}
          text={t('user.suspendText')}
          action={t('user.suspend')}
          isBusy={suspend.isPending}
          error={suspend.error}
          onConfirm={() => put(true)}
        />
      )}
      {asked === 'delete' && (
        <Confirm
          isOpen
          onClose={close}
          title={t('user.deleteTitle', { name })}
          text={t('user.deleteText')}
          action={t('action.delete')}
          typed={name}
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() =>
            remove.mutate(
              { params: { userId: id } },
              {
                onSuccess: () => {
                  notify(t('user.deleted', { name }))
                  void navigate({ to: '/users' })
                },
              },
            )
          }
        />
      )}
    </>
  )
}
