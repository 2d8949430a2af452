/** Clients whose id is the address of a document about them: whether they may sign users in, and what all of them may ask for. */
import { may, useAnswer, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { ShowApiCall } from '../../parts/api-call.tsx'
import { Page } from '../../parts/page.tsx'
import { ErrorState, Loading } from '../../parts/states.tsx'
import { SwitchRow } from '../../parts/switch-row.tsx'
import { notify } from '../../parts/toast.tsx'
import { ConsentForm } from '../applications/consent-form.tsx'

const Scopes = () => {
  const { data, error, refetch } = useAnswer('getCimdUserConsentScopes', {})
  if (error) return <ErrorState error={error} retry={refetch} />
  return data ? (
    <ConsentForm
      name="documents.consent"
      title={t('documents.scopes')}
      text={t('consent.text')}
      stored={data}
      add={(client, body) => client.addCimdUserConsentScopes({ body })}
      remove={(client, scopeType, scopeId) => client.removeCimdUserConsentScope({ params: { scopeType, scopeId } })}
      isReadOnly={!may('addCimdUserConsentScopes', 'removeCimdUserConsentScope')}
    />
  ) : (
    <Loading />
  )
}

export const Documents = () => {
  const { data, error, refetch } = useAnswer('getCimdConfig', {})
  const update = useChange('updateCimdConfig')
  const hasScopes = may('getCimdUserConsentScopes')
  return (
    <Page
      title={t('documents.title')}
      text={t('documents.text')}
      up={{ to: '/applications', title: t('nav.applications') }}
      actions={
        <ShowApiCall
          calls={[{ id: 'getCimdConfig' }, ...(hasScopes ? [{ id: 'getCimdUserConsentScopes' } as const] : [])]}
        />
      }
    >
      {error && <ErrorState error={error} retry={refetch} />}
      {data ? (
        <>
          <section className="mb-4 rounded-xl border border-line bg-surface px-5">
            <SwitchRow
              label={t('documents.switch')}
              text={t('documents.switchText')}
              isOn={data.enabled}
              isReadOnly={!may('updateCimdConfig') || update.isPending}
              onChange={(enabled) => update.mutate({ body: { enabled } }, { onSuccess: () => notify(t('form.saved')) })}
            />
            {update.error && <ErrorState error={update.error} />}
          </section>
          {hasScopes && <Scopes />}
        </>
      ) : (
        !error && <Loading />
      )}
    </Page>
  )
}
