/** The roles of one administrator, old or new. */
import { useState } from 'react'
import { type Row, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { ErrorState } from '../../parts/states.tsx'
import { notify } from '../../parts/toast.tsx'
import { extentOf } from './role-form.tsx'

/** Whose roles are chosen. */
export interface Chosen {
  readonly userId: string
  readonly name: string
  readonly roleIds: readonly string[]
}

interface ChooseRolesProps {
  readonly chosen: Chosen
  readonly roles: readonly Row<'listAdministratorRoles'>[]
  readonly onClose: () => void
}

export const ChooseRoles = ({ chosen: { userId, name, roleIds }, roles, onClose }: ChooseRolesProps) => {
  const [held, hold] = useState<ReadonlySet<string>>(() => new Set(roleIds))
  const put = useChange('putAdministrator')
  return (
    <Dialog isOpen onClose={onClose} title={name} description={t('administrators.changeText')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          put.mutate(
            { params: { userId }, body: { roleIds: [...held] } },
            {
              onSuccess: () => {
                onClose()
                notify(t('administrators.saved', { name }))
              },
            },
          )
        }}
      >
        <fieldset className="space-y-1">
          <legend className="mb-1 font-medium">{t('administrators.roles')}</legend>
          {roles.map(({ id, name: title, description, permissions }) => (
            <label key={id} className="-mx-2 flex cursor-pointer items-start gap-3 rounded-lg px-2 py-2 hover:bg-hover">
              <input
                type="checkbox"
                checked={held.has(id)}
                onChange={({ target }) =>
                  hold(target.checked ? new Set([...held, id]) : new Set([...held].filter((each) => each !== id)))
                }
                className="mt-1 size-4 accent-accent-fill"
              />
              <span className="min-w-0 flex-1">
                <span className="block font-medium">{title}</span>
                <span className="block text-soft text-xs">{description}</span>
              </span>
              <span className="text-soft text-xs">{extentOf(permissions)}</span>
            </label>
          ))}
        </fieldset>
        {put.error && <ErrorState error={put.error} />}
        <div className="mt-4 flex justify-end gap-2">
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button look="primary" type="submit" disabled={held.size === 0} isBusy={put.isPending}>
            {t('action.save')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
