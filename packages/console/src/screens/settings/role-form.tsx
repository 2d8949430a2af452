/** A role of administrators, old or new: its name, what it is for, and what it permits in each area. */
import { ALL_PERMISSION, AREAS, type Permission } from '@countersign/contract/permissions.ts'
import { type Answer, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { CreateDialog } from '../../parts/create-dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { errorAt, useForm } from '../../parts/form.ts'
import { SwitchRow } from '../../parts/switch-row.tsx'
import { notify } from '../../parts/toast.tsx'

type Role = Answer<'getAdministratorRole'>
type Held = Role['permissions'][number]

/** How much a list of permissions allows, in words. */
export const extentOf = (permissions: readonly string[]): string =>
  permissions.includes(ALL_PERMISSION)
    ? t('administrators.everything')
    : t('administrators.permissions', { count: permissions.length })

interface AreasProps {
  readonly held: ReadonlySet<string>
  readonly onChange: (held: ReadonlySet<string>) => void
}

const Areas = ({ held, onChange }: AreasProps) => {
  const box = (permission: Permission, text: string) => (
    <label className="flex cursor-pointer items-center gap-1.5 py-1 text-soft">
      <input
        type="checkbox"
        aria-label={permission}
        checked={held.has(permission)}
        onChange={({ target }) =>
          onChange(
            target.checked ? new Set([...held, permission]) : new Set([...held].filter((each) => each !== permission)),
          )
        }
        className="size-4 accent-accent-fill"
      />
      {text}
    </label>
  )
  return (
    <fieldset>
      <legend className="mb-1 font-medium">{t('administrators.rolePermissions')}</legend>
      <ul className="max-h-72 overflow-y-auto rounded-lg border border-line">
        {AREAS.map((area) => (
          <li key={area} className="flex flex-wrap items-center gap-x-4 border-line px-3 py-1 not-last:border-b">
            <code className="min-w-40 flex-1 font-mono text-[0.8125rem]">{area}</code>
            {box(`read:${area}`, t('administrators.read'))}
            {box(`write:${area}`, t('administrators.write'))}
          </li>
        ))}
      </ul>
    </fieldset>
  )
}

/** @param role none: a new one */
export const RoleForm = ({ role, onClose }: { readonly role?: Role; readonly onClose: () => void }) => {
  const create = useChange('createAdministratorRole')
  const update = useChange('updateAdministratorRole')
  const change = role ? update : create
  const { values, set, reset } = useForm(role ? `administrator-role.${role.id}` : 'new-administrator-role', {
    name: role?.name ?? '',
    description: role?.description ?? '',
    permissions: (role?.permissions ?? []).toSorted().join(' '),
  })
  const held = new Set(values.permissions.split(' ').filter(Boolean))
  const hold = (next: ReadonlySet<string>) => set('permissions', [...next].sort().join(' '))
  const hasAll = held.has(ALL_PERMISSION)
  const nameError = errorAt(change.error, 'name', 'administrator_role.name_in_use')
  const done = () => {
    reset()
    onClose()
    notify(t('form.saved'))
  }
  const submit = () => {
    const body = {
      name: values.name.trim(),
      description: values.description.trim(),
      permissions: (hasAll ? [ALL_PERMISSION] : [...held]) as Held[],
    }
    if (role) update.mutate({ params: { id: role.id }, body }, { onSuccess: done })
    else create.mutate({ body }, { onSuccess: done })
  }
  return (
    <CreateDialog
      title={t(role ? 'administrators.editRole' : 'administrators.createRole')}
      text={t('administrators.roleText')}
      isReady={values.name.trim() !== '' && held.size > 0}
      change={change}
      isPlaced={nameError !== undefined}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field
        name="name"
        label={t('apis.name')}
        value={values.name}
        onChange={(next) => set('name', next)}
        error={nameError}
      />
      <Field
        name="description"
        label={t('api.permissionDescription')}
        value={values.description}
        onChange={(next) => set('description', next)}
      />
      <SwitchRow
        label={t('administrators.everything')}
        text={t('administrators.everythingText')}
        isOn={hasAll}
        onChange={(isOn) =>
          hold(isOn ? new Set([...held, ALL_PERMISSION]) : new Set([...held].filter((each) => each !== ALL_PERMISSION)))
        }
      />
      {!hasAll && <Areas held={held} onChange={hold} />}
    </CreateDialog>
  )
}
