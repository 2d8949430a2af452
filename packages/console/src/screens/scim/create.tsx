/** A new SCIM directory, of the tenant or of an organization: a button, and the dialog that asks for its name. */
import { useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { may, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Button, type Look } from '../../parts/button.tsx'
import { CreateDialog } from '../../parts/create-dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { errorAt, useForm } from '../../parts/form.ts'
import { notify } from '../../parts/toast.tsx'

const Create = ({ organizationId, onClose }: { readonly organizationId?: string; readonly onClose: () => void }) => {
  const { values, set, reset } = useForm(`new-directory.${organizationId ?? ''}`, { name: '' })
  const create = useChange('createScimDirectory')
  const navigate = useNavigate()
  const nameError = errorAt(create.error, 'name')
  const submit = () =>
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
  return (
    <CreateDialog
      title={t('scim.create')}
      text={t(organizationId === undefined ? 'scim.createText' : 'scim.createOrganizationText')}
      isReady={values.name.trim() !== ''}
      change={create}
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
        placeholder="Entra ID"
      />
    </CreateDialog>
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
