/** The claims scripts: one for the tokens of users, one for those of machines. */
import { Tabs } from '@base-ui/react/tabs'
import { getRouteApi } from '@tanstack/react-router'
import { useAnswer } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { ShowApiCall } from '../../parts/api-call.tsx'
import { Page } from '../../parts/page.tsx'
import { ErrorState, Loading } from '../../parts/states.tsx'
import { TabList } from '../../parts/tab-list.tsx'
import { ScriptForm } from './form.tsx'
import { KEYS, TOKENS } from './script.ts'

const route = getRouteApi('/claims')

export const Claims = () => {
  const { token: asked } = route.useSearch()
  const navigate = route.useNavigate()
  const { data: scripts, error, refetch } = useAnswer('listJwtCustomizers', {})
  const shown = TOKENS.find((each) => each === asked) ?? TOKENS[0]
  return (
    <Page
      title={t('nav.claims')}
      text={t('claims.text')}
      actions={
        <ShowApiCall
          calls={[
            { id: 'listJwtCustomizers' },
            { id: 'putJwtCustomizer', input: { params: { tokenTypePath: shown }, body: { script: '…' } } },
          ]}
        />
      }
    >
      {error ? (
        <ErrorState error={error} retry={refetch} />
      ) : scripts === undefined ? (
        <Loading />
      ) : (
        <Tabs.Root
          value={shown}
          onValueChange={(next) => void navigate({ search: { token: String(next) }, replace: true })}
        >
          <TabList tabs={TOKENS.map((each) => [each, t(`claims.${each}`)])} />
          {TOKENS.map((token) => (
            <Tabs.Panel key={token} value={token} className="outline-offset-4">
              <ScriptForm token={token} stored={scripts.find(({ key }) => key === KEYS[token])?.value} />
            </Tabs.Panel>
          ))}
        </Tabs.Root>
      )}
    </Page>
  )
}
