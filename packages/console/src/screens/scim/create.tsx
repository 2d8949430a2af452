/** A new SCIM directory, of the tenant or of an organization: a button, and the dialog that asks for its name. */
import { useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { may, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Button, type Look } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { errorAt, useForm } from '../../parts/form.ts'
import { ErrorState } from '../../parts/states.tsx'
import { notify } from '../../parts/toast.tsx'

const Create = ({ organizationId, onClose }: { readonly organizationId?: string; readonly onClose: () => void }) => {
  const { values, set, reset } = useForm(`new-directory.${organizationId ?? ''}`, { name: '' })
  const create = useChange('createScimDirectory')
  const navigate = useNavigate()
  const nameError = errorAt(create.error, 'name')
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('scim.create')}
      description={t(organizationId === undefined ? 'scim.createText' : 'scim.createOrganizationText')}
    >
      <form
        noValidate
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate(
            { body: { name: values.name.trim(), ...(organizationId === undefined ? {} : { organizationId }) } },
            {
              onSuccess: ({ id, name }) => {
                reset()
                onClose()
                notify(t('organizations.created', { name }))
                void navigate({ to: '/scim/$id', params: { id } })
              },
            },
          )
        }}
      >
        <Field
          name="name"
          label={t('apis.name')}
          value={values.name}
          onChange={(next) => set('name', next)}
          error={nameError}
          placeholder="Entra ID"
        />
        {create.error && nameError === undefined && <ErrorState error={create.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button look="primary" type="submit" disabled={!values.name.trim()} isBusy={create.isPending}>
            {t('scim.create')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

interface CreateProps {
  /** Absent for a directory of the tenant. */
  readonly organizationId?: string
  readonly look?: Look
}

export const CreateDirectory = ({ organizationId, look = 'secondary' }: CreateProps) => {
  const [isOpen, setOpen] = useState(false)
  if (!may('createScimDirectory')) return null
  return (
    <>
      <Button look={look} onClick={() => setOpen(true)}>
        <Plus size={15} aria-hidden />
        {t('scim.create')}
      </Button>
      {isOpen && (
        <Create {...(organizationId === undefined ? {} : { organizationId })} onClose={() => setOpen(false)} />
      )}
    </>
  )
}
