/** One SAML application: what it has to know, its settings, attributes, signatures, certificates, who may sign in, its end. */
import { Tabs } from '@base-ui/react/tabs'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { may, useAnswer, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { ShowApiCall } from '../../parts/api-call.tsx'
import { Badge } from '../../parts/badge.tsx'
import { DeleteCard } from '../../parts/delete-card.tsx'
import { JsonCard } from '../../parts/json-card.tsx'
import { NameForm } from '../../parts/name-form.tsx'
import { Page } from '../../parts/page.tsx'
import { ErrorState, Loading } from '../../parts/states.tsx'
import { TabList } from '../../parts/tab-list.tsx'
import { notify } from '../../parts/toast.tsx'
import { Access } from '../applications/access.tsx'
import { Attributes } from './attributes.tsx'
import { SamlKeys } from './keys.tsx'
import { SingleLogout } from './logout.tsx'
import { Encryption, Signatures } from './protection.tsx'
import { Provider } from './provider.tsx'
import type { SamlApplication } from './settings.ts'
import { SamlStart } from './start.tsx'

const TABS = ['start', 'settings', 'attributes', 'security', 'certificates', 'access'] as const

const General = ({ application }: { readonly application: SamlApplication }) => {
  const { id, name, description } = application
  const update = useChange('updateSamlApplication')
  return (
    <NameForm
      form={`saml.${id}.name`}
      name={name}
      description={description ?? ''}
      change={update}
      nameCodes={[]}
      isReadOnly={!may('updateSamlApplication')}
      onSave={(values, done) =>
        update.mutate(
          { params: { id }, body: { name: values.name, description: values.description || null } },
          { onSuccess: done },
        )
      }
    />
  )
}

const CustomData = ({ application: { id, customData } }: { readonly application: SamlApplication }) => {
  const update = useChange('updateSamlApplication')
  return (
    <JsonCard
      form={`saml.${id}.custom-data`}
      title={t('customData.title')}
      text={t('customData.text')}
      value={customData}
      change={update}
      isReadOnly={!may('updateSamlApplication')}
      onSave={(next, done) => update.mutate({ params: { id }, body: { customData: next } }, { onSuccess: done })}
    />
  )
}

const Delete = ({ application: { id, name } }: { readonly application: SamlApplication }) => {
  const remove = useChange('deleteSamlApplication')
  const navigate = useNavigate()
  return (
    <DeleteCard
      title={t('application.delete')}
      text={t('saml.deleteText')}
      name={name}
      change={remove}
      onDelete={() =>
        remove.mutate(
          { params: { id } },
          {
            onSuccess: () => {
              notify(t('application.deleted', { name }))
              void navigate({ to: '/applications' })
            },
          },
        )
      }
    />
  )
}

export const SamlDetail = ({ id }: { readonly id: string }) => {
  const { tab } = useSearch({ strict: false })
  const navigate = useNavigate()
  const { data: application, error, refetch } = useAnswer('getSamlApplication', { params: { id } })
  const up = { to: '/applications', title: t('nav.applications') } as const
  if (error)
    return (
      <Page title={id} up={up}>
        <ErrorState error={error} retry={refetch} />
      </Page>
    )
  if (!application) return <Loading />
  const tabs = TABS.filter(
    (each) =>
      (each !== 'certificates' || may('listSamlApplicationSecrets')) && (each !== 'access' || may('getAccessControl')),
  )
  const shown = tabs.find((each) => each === tab) ?? 'start'
  return (
    <Page
      title={application.name}
      {...(application.description ? { text: application.description } : {})}
      up={up}
      badge={<Badge>{t('kind.saml')}</Badge>}
      actions={
        <ShowApiCall
          calls={[
            { id: 'getSamlApplication', input: { params: { id } } },
            { id: 'listSamlApplicationSecrets', input: { params: { id } } },
          ]}
        />
      }
    >
      <Tabs.Root
        value={shown}
        onValueChange={(next) =>
          void navigate({ to: '/applications/$id', params: { id }, search: { tab: String(next) }, replace: true })
        }
      >
        <TabList tabs={tabs.map((each) => [each, t(`saml.tab.${each}`)])} />
        <Tabs.Panel value="start" className="outline-offset-4">
          <SamlStart application={application} />
        </Tabs.Panel>
        <Tabs.Panel value="settings" className="outline-offset-4">
          <General application={application} />
          <Provider application={application} />
          <CustomData application={application} />
          {may('deleteSamlApplication') && <Delete application={application} />}
        </Tabs.Panel>
        <Tabs.Panel value="attributes" className="outline-offset-4">
          <Attributes application={application} />
        </Tabs.Panel>
        <Tabs.Panel value="security" className="outline-offset-4">
          <Signatures application={application} />
          <Encryption application={application} />
          <SingleLogout application={application} />
        </Tabs.Panel>
        <Tabs.Panel value="certificates" className="outline-offset-4">
          <SamlKeys id={id} />
        </Tabs.Panel>
        <Tabs.Panel value="access" className="outline-offset-4">
          <Access id={id} isSaml isLimited={application.appLevelAccessControlEnabled} />
        </Tabs.Panel>
      </Tabs.Root>
    </Page>
  )
}
