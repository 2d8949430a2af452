/** The permissions of an API. */
import { type Answer, may, useAnswer } from '../../api/client.ts'
import { useLookup } from '../../parts/lookup.ts'
import { PermissionList } from '../../parts/permission-list.tsx'
import { isBuiltIn } from './built-in.ts'

export const Permissions = ({ api }: { readonly api: Answer<'getResource'> }) => {
  const { search, onSearch } = useLookup()
  const resourceId = api.id
  const { data, error, refetch } = useAnswer('listScopes', { params: { resourceId } })
  const isFixed = isBuiltIn(api)
  return (
    <PermissionList
      owner={`api.${resourceId}`}
      permissions={data}
      error={error}
      retry={refetch}
      search={search}
      onSearch={onSearch}
      create={
        !isFixed &&
        may('createScope') &&
        ((client, { name, description }) =>
          client.createScope({
            params: { resourceId },
            body: { name, ...(description === '' ? {} : { description }) },
          }))
      }
      update={
        !isFixed &&
        may('updateScope') &&
        ((client, scopeId, body) => client.updateScope({ params: { resourceId, scopeId }, body }))
      }
      remove={
        !isFixed && may('deleteScope') && ((client, scopeId) => client.deleteScope({ params: { resourceId, scopeId } }))
      }
    />
  )
}
