/** What a third-party application may ask users for. */
import { may, useAnswer } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { ErrorState, Loading } from '../../parts/states.tsx'
import { ConsentForm } from './consent-form.tsx'

export const Consent = ({ id }: { readonly id: string }) => {
  const params = { applicationId: id }
  const { data, error, refetch } = useAnswer('getUserConsentScopes', { params })
  if (error) return <ErrorState error={error} retry={refetch} />
  return data ? (
    <ConsentForm
      name={`application.${id}.consent`}
      title={t('consent.title')}
      text={t('consent.text')}
      stored={data}
      add={(client, body) => client.addUserConsentScopes({ params, body })}
      remove={(client, scopeType, scopeId) =>
        client.removeUserConsentScope({ params: { ...params, scopeType, scopeId } })
      }
      isReadOnly={!may('addUserConsentScopes', 'removeUserConsentScope')}
    />
  ) : (
    <Loading />
  )
}
