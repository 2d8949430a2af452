/** Applications that register themselves: who may, what they may be, and the tokens that permit it. */
import { Link } from '@tanstack/react-router'
import { may, useAnswer } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { ShowApiCall } from '../../parts/api-call.tsx'
import { buttonClass } from '../../parts/button.tsx'
import { Page } from '../../parts/page.tsx'
import { ErrorState, Loading } from '../../parts/states.tsx'
import { Policy } from './policy.tsx'
import { InitialAccessTokens } from './tokens.tsx'
import { Who } from './who.tsx'

export const Registration = () => {
  const { data: settings, error, refetch } = useAnswer('getClientRegistration', {})
  const hasTokens = may('listInitialAccessTokens')
  return (
    <Page
      title={t('registration.title')}
      text={t('registration.text')}
      up={{ to: '/applications', title: t('nav.applications') }}
      actions={
        <>
          {may('getCimdConfig') && (
            <Link to="/applications/documents" className={buttonClass()}>
              {t('documents.title')}
            </Link>
          )}
          <ShowApiCall
            calls={[
              { id: 'getClientRegistration' },
              ...(hasTokens ? [{ id: 'listInitialAccessTokens' } as const] : []),
            ]}
          />
        </>
      }
    >
      {error && <ErrorState error={error} retry={refetch} />}
      {settings ? (
        <>
          <Who settings={settings} />
          <Policy settings={settings} />
          {hasTokens && <InitialAccessTokens />}
        </>
      ) : (
        !error && <Loading />
      )}
    </Page>
  )
}
