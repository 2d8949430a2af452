/**
 * "Try it": a real sign-in to an application of the tenant, in another window. While this dialog is open, the page that shows the tokens is
 * one of the application's redirect URIs: an address of this server, at which only requests that it began itself are answered. It is
 * taken away when the dialog is closed.
 */
import { ExternalLink, FlaskConical } from 'lucide-react'
import { useState } from 'react'
import { type Row, useAnswer, useChange, usePage } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Button, buttonClass } from '../../parts/button.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { SelectField } from '../../parts/select.tsx'
import { EmptyState, ErrorState, Loading } from '../../parts/states.tsx'
import { trialAddress, trialLink } from '../../session/trial.ts'

const LISTED = 100
const SCOPE = 'openid profile email'

type Application = Row<'listApplications'>

/** The change that adds the page of the console to the redirect URIs, or takes it away. */
const withPage = ({ id, oidcClientMetadata }: Application, isThere: boolean) => {
  const others = oidcClientMetadata.redirectUris.filter((each) => each !== trialAddress())
  const redirectUris = isThere ? [...others, trialAddress()] : others
  return { params: { id }, body: { oidcClientMetadata: { ...oidcClientMetadata, redirectUris } } }
}

export const TryItDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const { data, error } = usePage('listApplications', {
    query: { page: 1, page_size: LISTED, types: ['SPA', 'Native'] },
  })
  const { data: apis = [] } = useAnswer('listResources', {})
  const [chosen, choose] = useState('')
  const [scope, setScope] = useState(SCOPE)
  const [resource, setResource] = useState('')
  const update = useChange('updateApplication')
  const application = data?.rows.find(({ id }) => id === chosen) ?? data?.rows[0]
  const isReady = application?.oidcClientMetadata.redirectUris.includes(trialAddress()) === true
  const link = application ? trialLink({ clientId: application.id, scope, resource }) : ''
  const close = () => {
    const left = data?.rows.filter(({ oidcClientMetadata }) => oidcClientMetadata.redirectUris.includes(trialAddress()))
    for (const each of left ?? []) update.mutate(withPage(each, false))
    onClose()
  }
  return (
    <Dialog isOpen onClose={close} title={t('try.it')} description={t('try.itText')} shape="wide">
      {error ? (
        <ErrorState error={error} />
      ) : data === undefined ? (
        <Loading />
      ) : application === undefined ? (
        <EmptyState icon={<FlaskConical size={20} />} title={t('try.none')} text={t('try.noneText')} />
      ) : (
        <div className="space-y-4">
          <div className="grid gap-4 sm:grid-cols-2">
            <SelectField
              label={t('try.application')}
              value={application.id}
              choices={data.rows.map(({ id, name }) => [id, name])}
              onChange={choose}
            />
            <SelectField
              label={t('try.api')}
              value={resource}
              choices={[['', t('try.noApi')], ...apis.map(({ indicator, name }) => [indicator, name] as const)]}
              onChange={setResource}
            />
          </div>
          <Field name="scope" label={t('try.scope')} value={scope} onChange={setScope} isMonospace />
          <p className="text-soft">{t('try.address', { address: trialAddress() })}</p>
          {update.error && <ErrorState error={update.error} />}
          {isReady ? (
            <>
              <CopyField label={t('try.private')} value={link} />
              <p className="text-soft text-xs">{t('try.privateText')}</p>
              <div className="flex justify-end gap-2">
                <Button onClick={close}>{t('try.finish')}</Button>
                <a href={link} target="_blank" rel="noopener noreferrer" className={buttonClass('primary')}>
                  <ExternalLink size={15} aria-hidden />
                  {t('try.open')}
                </a>
              </div>
            </>
          ) : (
            <div className="flex justify-end gap-2">
              <Button onClick={close}>{t('action.cancel')}</Button>
              <Button
                look="primary"
                isBusy={update.isPending}
                onClick={() => update.mutate(withPage(application, true))}
              >
                {t('try.prepare')}
              </Button>
            </div>
          )}
        </div>
      )}
    </Dialog>
  )
}
