/** The identity providers that belong to an organization: only its members sign in there. */
import { Link, useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { may, useAnswer, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Button } from '../../parts/button.tsx'
import { CreateDialog } from '../../parts/create-dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { errorAt, useForm } from '../../parts/form.ts'
import { ItemList } from '../../parts/item-list.tsx'
import { SelectField } from '../../parts/select.tsx'

const Create = ({ id, onClose }: { readonly id: string; readonly onClose: () => void }) => {
  const { data: providers = [] } = useAnswer('listSsoConnectorProviders', {})
  const { data: domains = [] } = useAnswer('listOrganizationDomains', { params: { id } })
  const { values, set, reset } = useForm(`organization-sso.${id}`, { name: '', provider: 'OIDC' })
  const create = useChange('createSsoConnector')
  const navigate = useNavigate()
  const nameError = errorAt(create.error, 'connectorName', 'single_sign_on.duplicate_connector_name')
  const provider = providers.find(({ providerName }) => providerName === values.provider)
  const submit = () => {
    if (!provider) return
    create.mutate(
      {
        body: {
          providerName: provider.providerName,
          connectorName: values.name.trim(),
          organizationId: id,
          domains: domains.flatMap(({ domain, verifiedAt }) => (verifiedAt === null ? [] : [domain])),
        },
      },
      {
        onSuccess: (connector) => {
          reset()
          onClose()
          void navigate({ to: '/connectors/sso/$id', params: { id: connector.id } })
        },
      },
    )
  }
  return (
    <CreateDialog
      title={t('ownSso.create')}
      text={t('ownSso.createText')}
      isReady={values.name.trim() !== '' && provider !== undefined}
      change={create}
      isPlaced={nameError !== undefined}
      onSubmit={submit}
      onClose={onClose}
    >
      <SelectField
        label={t('ownSso.provider')}
        value={values.provider}
        choices={providers.map(({ providerName, name }) => [providerName, name])}
        onChange={(next) => set('provider', next)}
      />
      <Field
        name="connectorName"
        label={t('apis.name')}
        value={values.name}
        onChange={(next) => set('name', next)}
        error={nameError}
        placeholder="Acme Entra ID"
      />
    </CreateDialog>
  )
}

export const OwnConnectors = ({ id }: { readonly id: string }) => {
  const { data, error } = useAnswer('listSsoConnectors', undefined)
  const [isCreating, setCreating] = useState(false)
  return (
    <>
      <ItemList
        title={t('ownSso.title')}
        text={t('ownSso.text')}
        items={data
          ?.filter(({ organizationId }) => organizationId === id)
          .map((connector) => ({
            id: connector.id,
            title: (
              <Link to="/connectors/sso/$id" params={{ id: connector.id }} className="hover:underline">
                {connector.connectorName}
              </Link>
            ),
            detail: [t(connector.isComplete ? 'ownSso.complete' : 'ownSso.incomplete'), ...connector.domains].join(
              ' · ',
            ),
          }))}
        error={error}
        none={t('provisioning.noConnectors')}
        actions={
          may('createSsoConnector', 'listOrganizationDomains') && (
            <Button onClick={() => setCreating(true)}>
              <Plus size={15} aria-hidden />
              {t('ownSso.create')}
            </Button>
          )
        }
      />
      {isCreating && <Create id={id} onClose={() => setCreating(false)} />}
    </>
  )
}
