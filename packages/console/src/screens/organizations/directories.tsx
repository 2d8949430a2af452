/** The SCIM directories that provision the members of an organization. */
import { Link } from '@tanstack/react-router'
import { useAnswer } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { ItemList } from '../../parts/item-list.tsx'
import { CreateDirectory } from '../scim/create.tsx'

export const Directories = ({ id }: { readonly id: string }) => {
  const { data, error } = useAnswer('listScimDirectories', { query: { organizationId: id } })
  return (
    <ItemList
      title={t('nav.scim')}
      text={t('scim.organizationText')}
      items={data?.map((directory) => ({
        id: directory.id,
        title: (
          <Link to="/scim/$id" params={{ id: directory.id }} className="hover:underline">
            {directory.name}
          </Link>
        ),
        detail: t(directory.isEnabled ? 'scim.enabled' : 'scim.disabled'),
      }))}
      error={error}
      none={t('scim.noDirectories')}
      actions={<CreateDirectory organizationId={id} />}
    />
  )
}
