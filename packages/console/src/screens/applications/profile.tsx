/** Name and description of an application. */
import { may, useChange } from '../../api/client.ts'
import { NameForm } from '../../parts/name-form.tsx'
import type { Application } from './kinds.ts'

export const Profile = ({ application: { id, name, description } }: { readonly application: Application }) => {
  const update = useChange('updateApplication')
  return (
    <NameForm
      form={`application.${id}.profile`}
      name={name}
      description={description ?? ''}
      change={update}
      nameCodes={[]}
      isReadOnly={!may('updateApplication')}
      onSave={(values, done) =>
        update.mutate(
          { params: { id }, body: { name: values.name, description: values.description || null } },
          { onSuccess: done },
        )
      }
    />
  )
}
