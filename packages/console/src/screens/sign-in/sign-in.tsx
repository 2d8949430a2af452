/** The sign-in experience: methods, look and security as one form, beside the pages as they would be. */
import { Tabs } from '@base-ui/react/tabs'
import { getRouteApi } from '@tanstack/react-router'
import { may, useAnswer, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { ShowApiCall } from '../../parts/api-call.tsx'
import { errorAt, useForm } from '../../parts/form.ts'
import { Page } from '../../parts/page.tsx'
import { ReadOnly } from '../../parts/read-only.ts'
import { SaveBar } from '../../parts/save-bar.tsx'
import { ErrorState, Loading } from '../../parts/states.tsx'
import { TabList } from '../../parts/tab-list.tsx'
import { notify } from '../../parts/toast.tsx'
import { AccountTab } from './account-tab.tsx'
import { CaptchaCard } from './captcha-card.tsx'
import { FieldList } from './fields/field-list.tsx'
import { SignUpFields } from './fields/sign-up-fields.tsx'
import { Look } from './look.tsx'
import { Methods } from './methods.tsx'
import { PhrasesTab, phraseLanguages } from './phrases.tsx'
import { Preview } from './preview.tsx'
import { Security } from './security.tsx'
import { changeOf, type Settings, valuesOf } from './settings.ts'
import { TryIt } from './try-it.tsx'

const route = getRouteApi('/sign-in-experience')
const TABS = ['look', 'methods', 'fields', 'security', 'account', 'phrases'] as const
/** The tabs that are one form. */
const FORM_TABS = ['look', 'methods', 'fields', 'security'] as const

const Form = ({ stored }: { readonly stored: Settings }) => {
  const { tab, language: asked } = route.useSearch()
  const navigate = route.useNavigate()
  const { values, set, isChanged, reset } = useForm('sign-in-experience', valuesOf(stored))
  const update = useChange('updateSignInExperience')
  const section = {
    values,
    set: (name: string, value: string) => set(name, value),
    errorOf: (name: string) => errorAt(update.error, name),
  }
  const shown = TABS.find((each) => each === tab) ?? 'look'
  const change = changeOf(values, stored)
  const { fallbackLanguage } = stored.languageInfo
  const { data: ownPhrases = [] } = useAnswer('listCustomPhrases', {})
  const language = asked ?? fallbackLanguage
  const languages = phraseLanguages(ownPhrases, fallbackLanguage, language)
  return (
    <Page
      title={t('nav.signIn')}
      text={t('signIn.text')}
      actions={
        <>
          <TryIt />
          <ShowApiCall
            calls={[
              { id: 'getSignInExperience' },
              ...(isChanged ? [{ id: 'updateSignInExperience' as const, input: { body: change } }] : []),
            ]}
          />
        </>
      }
    >
      <Tabs.Root
        value={shown}
        onValueChange={(next) => void navigate({ search: { tab: String(next) }, replace: true })}
      >
        <TabList tabs={TABS.map((each) => [each, t(`signIn.tab.${each}`)])} />
        <div className="grid grid-cols-1 items-start gap-x-6 lg:grid-cols-[minmax(0,1fr)_18rem] xl:grid-cols-[minmax(0,1fr)_26rem]">
          <div className="min-w-0">
            <Tabs.Panel value="phrases" className="min-w-0 outline-offset-4">
              <PhrasesTab
                language={language}
                languages={languages}
                onLanguage={(next) => void navigate({ search: { tab: 'phrases', language: next }, replace: true })}
              />
            </Tabs.Panel>
            <Tabs.Panel value="account" className="min-w-0 outline-offset-4">
              <ReadOnly value={!may('updateAccountCenter')}>
                <AccountTab />
              </ReadOnly>
            </Tabs.Panel>
            <Tabs.Panel value="fields" className="min-w-0 outline-offset-4">
              <FieldList settings={stored} />
            </Tabs.Panel>
            <ReadOnly value={!may('updateSignInExperience')}>
              <form
                noValidate
                hidden={!FORM_TABS.some((each) => each === shown)}
                onSubmit={(event) => {
                  event.preventDefault()
                  update.mutate(
                    { body: change },
                    {
                      onSuccess: () => {
                        reset()
                        notify(t('form.saved'))
                      },
                    },
                  )
                }}
              >
                <Tabs.Panel value="look" className="outline-offset-4">
                  <Look {...section} languages={languages} />
                </Tabs.Panel>
                <Tabs.Panel value="methods" className="outline-offset-4">
                  <Methods {...section} />
                </Tabs.Panel>
                <Tabs.Panel value="security" className="outline-offset-4">
                  <Security {...section} />
                </Tabs.Panel>
                {shown === 'fields' && <SignUpFields {...section} />}
                {update.error && <ErrorState error={update.error} />}
                {may('updateSignInExperience') && (
                  <div className="mb-6">
                    <SaveBar isChanged={isChanged} isBusy={update.isPending} onDiscard={reset} />
                  </div>
                )}
              </form>
            </ReadOnly>
            {shown === 'security' && values['captchaPolicy.enabled'] === 'true' && <CaptchaCard />}
          </div>
          <div className="lg:sticky lg:top-4">
            <Preview
              change={change}
              languages={languages}
              first={shown === 'fields' ? 'extra-profile' : 'sign-in'}
              language={shown === 'phrases' ? language : (values['languageInfo.fallbackLanguage'] ?? 'en')}
            />
          </div>
        </div>
      </Tabs.Root>
    </Page>
  )
}

export const SignInExperience = () => {
  const { data, error, refetch } = useAnswer('getSignInExperience', {})
  if (error)
    return (
      <Page title={t('nav.signIn')}>
        <ErrorState error={error} retry={refetch} />
      </Page>
    )
  return data ? <Form stored={data} /> : <Loading />
}
