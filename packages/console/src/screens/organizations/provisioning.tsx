/** Who becomes a member without an invitation: by an email domain or a company's sign-in, and with which roles. */
import { useState } from 'react'
import { may, useAnswer, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Button } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import { errorAt, useForm } from '../../parts/form.ts'
import { ItemList } from '../../parts/item-list.tsx'
import { Card } from '../../parts/page.tsx'
import { ErrorState } from '../../parts/states.tsx'
import { notify } from '../../parts/toast.tsx'
import { Directories } from './directories.tsx'
import { RoleBoxes } from './role-boxes.tsx'

const AddDomain = ({ id }: { readonly id: string }) => {
  const { values, set, reset } = useForm(`domain.${id}`, { emailDomain: '' })
  const add = useChange('addJitEmailDomain')
  const error = errorAt(add.error, 'emailDomain', 'entity.unique_integrity_violation')
  return (
    <form
      noValidate
      className="flex max-w-xl items-start gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        add.mutate(
          { params: { id }, body: { emailDomain: values.emailDomain.trim() } },
          {
            onSuccess: () => {
              reset()
              notify(t('form.saved'))
            },
          },
        )
      }}
    >
      <div className="min-w-0 flex-1">
        <Field
          name="emailDomain"
          label={t('provisioning.domain')}
          value={values.emailDomain}
          onChange={(next) => {
            add.reset()
            set('emailDomain', next)
          }}
          error={error}
          placeholder="example.com"
        />
        {add.error && error === undefined && <ErrorState error={add.error} />}
      </div>
      <Button type="submit" className="mt-6.5" disabled={!values.emailDomain.trim()} isBusy={add.isPending}>
        {t('provisioning.addDomain')}
      </Button>
    </form>
  )
}

const Domains = ({ id }: { readonly id: string }) => {
  const { data, error } = useAnswer('listJitEmailDomains', { params: { id } })
  const add = useChange('addJitEmailDomain')
  const remove = useChange('removeJitEmailDomain')
  return (
    <ItemList
      title={t('provisioning.domains')}
      text={t('provisioning.domainsText')}
      items={data?.map(({ emailDomain }) => ({ id: emailDomain, title: emailDomain }))}
      error={error}
      none={t('provisioning.noDomains')}
      footer={may('addJitEmailDomain') && <AddDomain id={id} />}
      removal={
        may('removeJitEmailDomain')
          ? {
              isUndoable: true,
              action: t('provisioning.removeDomain'),
              isBusy: remove.isPending,
              error: remove.error ?? add.error,
              onRemove: (emailDomain) =>
                remove.mutate(
                  { params: { id, emailDomain } },
                  {
                    onSuccess: () =>
                      notify(t('form.saved'), () => add.mutate({ params: { id }, body: { emailDomain } })),
                  },
                ),
            }
          : undefined
      }
    />
  )
}

const Roles = ({ id }: { readonly id: string }) => {
  const { data, error } = useAnswer('listJitRoles', { params: { id } })
  const put = useChange('replaceJitRoles')
  const [chosen, choose] = useState<ReadonlySet<string>>()
  const stored = new Set((data ?? []).map((role) => role.id))
  const held = chosen ?? stored
  const isChanged = [...held].sort().join() !== [...stored].sort().join()
  return (
    <Card title={t('provisioning.roles')} text={t('provisioning.rolesText')}>
      {error && <ErrorState error={error} />}
      <RoleBoxes type="User" held={held} onChange={choose} isReadOnly={!may('replaceJitRoles')} />
      {put.error && <ErrorState error={put.error} />}
      {isChanged && (
        <div className="mt-4 flex gap-2">
          <Button
            look="primary"
            isBusy={put.isPending}
            onClick={() =>
              put.mutate(
                { params: { id }, body: { organizationRoleIds: [...held] } },
                {
                  onSuccess: () => {
                    choose(undefined)
                    notify(t('form.saved'))
                  },
                },
              )
            }
          >
            {t('action.save')}
          </Button>
          <Button onClick={() => choose(undefined)}>{t('action.discard')}</Button>
        </div>
      )}
    </Card>
  )
}

const Connectors = ({ id }: { readonly id: string }) => {
  const { data, error } = useAnswer('listJitSsoConnectors', { params: { id } })
  const { data: all = [] } = useAnswer('listSsoConnectors', undefined, may('addJitSsoConnectors'))
  const add = useChange('addJitSsoConnectors')
  const remove = useChange('removeJitSsoConnector')
  const others = all.filter((connector) => !data?.some((each) => each.id === connector.id))
  return (
    <ItemList
      title={t('provisioning.connectors')}
      text={t('provisioning.connectorsText')}
      items={data?.map((connector) => ({
        id: connector.id,
        title: connector.connectorName,
        detail: connector.domains.join(', '),
      }))}
      error={error ?? add.error}
      none={t('provisioning.noConnectors')}
      footer={
        may('addJitSsoConnectors') &&
        others.length > 0 && (
          <div className="flex flex-wrap gap-2">
            {others.map((connector) => (
              <Button
                key={connector.id}
                className="min-w-0 max-w-full shrink!"
                isBusy={add.isPending}
                onClick={() =>
                  add.mutate(
                    { params: { id }, body: { ssoConnectorIds: [connector.id] } },
                    { onSuccess: () => notify(t('form.saved')) },
                  )
                }
              >
                <span className="truncate">{t('provisioning.addConnector', { name: connector.connectorName })}</span>
              </Button>
            ))}
          </div>
        )
      }
      removal={
        may('removeJitSsoConnector')
          ? {
              isUndoable: true,
              action: t('provisioning.removeConnector'),
              isBusy: remove.isPending,
              error: remove.error,
              onRemove: (ssoConnectorId) =>
                remove.mutate(
                  { params: { id, ssoConnectorId } },
                  {
                    onSuccess: () =>
                      notify(t('form.saved'), () =>
                        add.mutate({ params: { id }, body: { ssoConnectorIds: [ssoConnectorId] } }),
                      ),
                  },
                ),
            }
          : undefined
      }
    />
  )
}

export const Provisioning = ({ id }: { readonly id: string }) => (
  <>
    <Domains id={id} />
    {may('listScimDirectories') && <Directories id={id} />}
    {may('listJitSsoConnectors') && <Connectors id={id} />}
    {may('listJitRoles', 'listOrganizationRoles') && <Roles id={id} />}
  </>
)
