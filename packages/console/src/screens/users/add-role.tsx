/** Gives a role to a user: found by name among those that the user does not hold. */
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useChange, usePage } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { SearchBox } from '../../parts/search-box.tsx'
import { ErrorState, Loading } from '../../parts/states.tsx'
import { notify } from '../../parts/toast.tsx'

const SHOWN = 10

const Choice = ({ id, onClose }: { readonly id: string; readonly onClose: () => void }) => {
  const [search, setSearch] = useState('')
  const add = useChange('addUserRoles')
  const { data, error } = usePage('listRoles', {
    query: { excludeUserId: id, type: 'User', page: 1, page_size: SHOWN, ...(search ? { search: `%${search}%` } : {}) },
  })
  const give = (roleId: string) =>
    add.mutate(
      { params: { userId: id }, body: { roleIds: [roleId] } },
      {
        onSuccess: () => {
          onClose()
          notify(t('user.roleAdded'))
        },
      },
    )
  return (
    <Dialog isOpen onClose={onClose} title={t('user.addRole')} description={t('user.addRoleText')}>
      <SearchBox label={t('user.findRole')} value={search} onSearch={setSearch} />
      {(error ?? add.error) ? (
        <ErrorState error={error ?? add.error} />
      ) : data === undefined ? (
        <Loading lines={3} />
      ) : (
        <ul className="mt-3">
          {data.rows.map(({ id: roleId, name, description }) => (
            <li key={roleId}>
              <button
                type="button"
                disabled={add.isPending}
                onClick={() => give(roleId)}
                className="w-full rounded-lg px-3 py-2 text-start hover:bg-hover"
              >
                <span className="wrap-anywhere block font-medium">{name}</span>
                <span className="wrap-anywhere block text-soft text-xs">{description}</span>
              </button>
            </li>
          ))}
          {data.rows.length === 0 && <li className="px-3 py-2 text-soft">{t('user.noMoreRoles')}</li>}
        </ul>
      )}
    </Dialog>
  )
}

export const AddRole = ({ id }: { readonly id: string }) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Plus size={15} aria-hidden />
        {t('user.addRole')}
      </Button>
      {isOpen && <Choice id={id} onClose={() => setOpen(false)} />}
    </>
  )
}
