/** A new SSO connector: its name and the domains of the company; the configuration may follow, when the address is known. */
import { Link, useNavigate } from '@tanstack/react-router'
import { type Input, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Button, buttonClass } from '../../parts/button.tsx'
import { Page } from '../../parts/page.tsx'
import { notify } from '../../parts/toast.tsx'
import { useConfigForm } from './config-form.ts'
import { providerText, type SsoProvider } from './kinds.ts'
import { domainsOf, SsoFields } from './sso-fields.tsx'

type Config = NonNullable<NonNullable<Input<'createSsoConnector'>>['body']>['config']

export const NewSso = ({ provider }: { readonly provider: SsoProvider }) => {
  const { providerName, name, configSchema } = provider
  const navigate = useNavigate()
  const form = useConfigForm(`new-sso.${providerName}`, configSchema, {}, { connectorName: '', domains: '' }, true)
  const create = useChange('createSsoConnector')
  return (
    <Page title={name} text={providerText(provider)} up={{ to: '/connectors', title: t('nav.connectors') }}>
      <form
        noValidate
        className="max-w-2xl space-y-5"
        onSubmit={(event) => {
          event.preventDefault()
          if (!form.check()) return
          create.mutate(
            {
              body: {
                providerName,
                connectorName: form.valueOf('connectorName').trim(),
                domains: domainsOf(form.valueOf('domains')),
                config: form.config as Config,
              },
            },
            {
              onSuccess: ({ id, connectorName }) => {
                form.reset()
                notify(t('connectors.created', { name: connectorName }))
                void navigate({ to: '/connectors/sso/$id', params: { id } })
              },
            },
          )
        }}
      >
        <p className="rounded-xl bg-accent-tint p-4">{t('connectors.ssoLater')}</p>
        <SsoFields schema={configSchema} form={form} error={create.error} />
        <div className="flex gap-2">
          <Button look="primary" type="submit" isBusy={create.isPending}>
            {t('connectors.create')}
          </Button>
          <Link to="/connectors" onClick={form.reset} className={buttonClass('ghost')}>
            {t('action.cancel')}
          </Link>
        </div>
      </form>
    </Page>
  )
}
