/** What is asked: which user, at which application, by what, for which API, organization and scopes. All of it is in the address. */
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { may, useAnswer } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Button } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import { Card } from '../../parts/page.tsx'
import { Select } from '../../parts/select.tsx'
import { ApplicationChoice, UserChoice } from './choices.tsx'
import { EXCHANGED, type Exchanged } from './exchanged.ts'

interface Asked {
  /** Undefined: a sign-in. */
  readonly by?: Exchanged
  /** The API that an exchanged access token is for. */
  readonly of?: string
  readonly user?: string
  readonly application?: string
  readonly resource?: string
  readonly organization?: string
  readonly scope?: string
}

export const Question = ({ asked }: { readonly asked: Asked }) => {
  const { user, application, resource, organization, scope = '', by, of } = asked
  const navigate = useNavigate()
  const [typed, setTyped] = useState(scope)
  useEffect(() => setTyped(scope), [scope])
  const { data: apis = [] } = useAnswer('listResources', { query: {} })
  const { data: organizations = [] } = useAnswer(
    'listUserOrganizations',
    { params: { userId: user ?? '' } },
    user !== undefined,
  )
  const put = (next: Asked) =>
    void navigate({ to: '/explain', search: ((before: object) => ({ ...before, ...next })) as never, replace: true })
  const none = [['', t('explain.noneOf')]] as const
  return (
    <Card title={t('explain.question')}>
      <form
        className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4"
        onSubmit={(event) => {
          event.preventDefault()
          put({ scope: typed.trim() || undefined } as Asked)
        }}
      >
        <UserChoice id={user} onChoose={(id) => put({ user: id, organization: undefined } as Asked)} />
        <ApplicationChoice id={application} onChoose={(id) => put({ application: id })} />
        <div className="min-w-0 [&>select]:w-full [&>select]:max-w-full">
          <div className="mb-1 font-medium">{t('explain.by')}</div>
          <Select
            label={t('explain.by')}
            value={by ?? ''}
            choices={[
              ['', t('explain.bySignIn')],
              ...EXCHANGED.map((each) => [each, t(`explain.by.${each}`)] as const),
            ]}
            onChange={(next) => put({ by: next || undefined, of: undefined } as Asked)}
          />
        </div>
        {by === 'access_token' && may('listResources') && (
          <div className="min-w-0 [&>select]:w-full [&>select]:max-w-full">
            <div className="mb-1 font-medium">{t('explain.subjectApi')}</div>
            <Select
              label={t('explain.subjectApi')}
              value={of ?? ''}
              choices={[['', t('explain.userinfo')], ...apis.map(({ indicator, name }) => [indicator, name] as const)]}
              onChange={(indicator) => put({ of: indicator || undefined } as Asked)}
            />
          </div>
        )}
        {may('listResources') && (
          <div className="min-w-0 [&>select]:w-full [&>select]:max-w-full">
            <div className="mb-1 font-medium">{t('log.resource')}</div>
            <Select
              label={t('log.resource')}
              value={resource ?? ''}
              choices={[...none, ...apis.map(({ indicator, name }) => [indicator, name] as const)]}
              onChange={(indicator) => put({ resource: indicator || undefined } as Asked)}
            />
          </div>
        )}
        {may('listUserOrganizations') && (
          <div className="min-w-0 [&>select]:w-full [&>select]:max-w-full">
            <div className="mb-1 font-medium">{t('log.organization')}</div>
            <Select
              label={t('log.organization')}
              value={organization ?? ''}
              choices={[...none, ...organizations.map(({ id, name }) => [id, name] as const)]}
              onChange={(id) => put({ organization: id || undefined } as Asked)}
            />
          </div>
        )}
        <div className="flex items-start gap-2 sm:col-span-2 lg:col-span-4">
          <div className="min-w-0 flex-1">
            <Field
              name="scope"
              label={t('explain.scope')}
              value={typed}
              onChange={setTyped}
              hint={t('explain.scopeHint')}
              placeholder="openid read:orders"
              isMonospace
            />
          </div>
          <Button type="submit" className="mt-6.5" disabled={typed.trim() === scope}>
            {t('explain.ask')}
          </Button>
        </div>
      </form>
    </Card>
  )
}
