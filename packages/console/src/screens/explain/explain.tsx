/** Why a token has, or lacks, a scope: what a sign-in of a user at an application, or an exchange by it, would lead to now. */
import { getRouteApi, Link } from '@tanstack/react-router'
import { Check, ScanSearch, X } from 'lucide-react'
import { type Answer, may, useAnswer } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { ShowApiCall } from '../../parts/api-call.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { EmptyState, ErrorState, Loading } from '../../parts/states.tsx'
import { reasonText } from '../../parts/token-reason.ts'
import { Question } from './question.tsx'

const route = getRouteApi('/explain')
type OfSignIn = Answer<'simulateUserToken'>
type OfExchange = Answer<'explainExchange'>
type Path = OfSignIn['scopes'][number]['paths'][number]

interface ScopeOutcome {
  readonly name: string
  readonly isGranted: boolean
  readonly why: string | null
  readonly paths?: readonly Path[]
}

/** What both explanations say. */
interface Explanation {
  readonly refusal: OfSignIn['refusal']
  readonly isJwt: boolean
  /** Of a sign-in: why it is this kind of token. */
  readonly why?: string | null
  readonly audience: string | null
  readonly expiresIn: number | null
  readonly scopes: readonly ScopeOutcome[]
}

const Through = ({ type, id, name }: Path) =>
  type === 'role' ? (
    <Link to="/roles/$id" params={{ id }} className="font-medium text-accent hover:underline">
      {name}
    </Link>
  ) : (
    <Link to="/organizations/roles/$id" params={{ id }} className="font-medium text-accent hover:underline">
      {t('explain.inOrganization', { name })}
    </Link>
  )

const Scope = ({ scope: { name, isGranted, why, paths = [] } }: { readonly scope: ScopeOutcome }) => (
  <li className="flex items-start gap-3 border-line px-5 py-3 not-last:border-b">
    <span
      className={`mt-0.5 flex size-5 shrink-0 items-center justify-center rounded-full ${isGranted ? 'bg-good-tint text-good' : 'bg-bad-tint text-bad'}`}
    >
      {isGranted ? <Check size={13} aria-hidden /> : <X size={13} aria-hidden />}
    </span>
    <div className="min-w-0 flex-1">
      <div className="flex flex-wrap items-center gap-2">
        <code className="wrap-anywhere font-medium font-mono text-[0.8125rem]">{name}</code>
        <Badge tone={isGranted ? 'good' : 'bad'}>{t(isGranted ? 'explain.granted' : 'explain.missing')}</Badge>
      </div>
      {why && <p className="wrap-anywhere mt-0.5 text-soft">{reasonText(why)}</p>}
      {paths.length > 0 && (
        <p className="wrap-anywhere mt-0.5 flex flex-wrap gap-x-2 text-soft">
          {t('explain.through')}
          {paths.map((path) => (
            <Through key={`${path.type} ${path.id}`} {...path} />
          ))}
        </p>
      )}
    </div>
  </li>
)

const Result = ({ explanation }: { readonly explanation: Explanation }) => {
  const { refusal, isJwt, why, audience, expiresIn, scopes } = explanation
  return (
    <>
      <Card title={t(refusal ? 'explain.refused' : isJwt ? 'explain.jwt' : 'explain.opaque')}>
        {refusal ? (
          <div className="text-bad">
            <p className="wrap-anywhere font-medium">{refusal.reason ?? refusal.description}</p>
            <p className="wrap-anywhere mt-1 font-mono text-xs">
              {refusal.error}: {refusal.description}
            </p>
          </div>
        ) : (
          <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-3">
            <div>
              <dt className="text-soft text-xs">{t('explain.audience')}</dt>
              <dd className="wrap-anywhere font-mono text-[0.8125rem]">{audience ?? t('explain.userinfo')}</dd>
            </div>
            <div>
              <dt className="text-soft text-xs">{t('apis.lifetime')}</dt>
              <dd className="tabular-nums">{expiresIn === null ? '–' : t('apis.seconds', { count: expiresIn })}</dd>
            </div>
            {why && (
              <div>
                <dt className="text-soft text-xs">{t('explain.why')}</dt>
                <dd className="wrap-anywhere">{reasonText(why)}</dd>
              </div>
            )}
          </dl>
        )}
      </Card>
      {scopes.length > 0 && (
        <section className="overflow-hidden rounded-xl border border-line bg-surface">
          <h2 className="border-line border-b px-5 py-3 font-semibold">{t('explain.scopes')}</h2>
          <ul aria-label={t('explain.scopes')}>
            {scopes.map((scope) => (
              <Scope key={scope.name} scope={scope} />
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

/** The rules of an application that an exchange was considered by; the last one decides. */
const Rules = ({ rules }: { readonly rules: OfExchange['rules'] }) => (
  <section className="mt-4 overflow-hidden rounded-xl border border-line bg-surface">
    <h2 className="border-line border-b px-5 py-3 font-semibold">{t('explain.rules')}</h2>
    <ol aria-label={t('explain.rules')}>
      {rules.map(({ source, name, effect, whyNot }) => (
        <li key={`${source} ${name}`} className="border-line px-5 py-3 not-last:border-b">
          <div className="flex flex-wrap items-center gap-2">
            <span className="wrap-anywhere font-medium">{source === 'exchangePolicies' ? name : reasonText(name)}</span>
            <Badge tone={whyNot !== null ? 'plain' : effect === 'allow' ? 'good' : 'bad'}>
              {whyNot === null
                ? `${t('explain.decides')}: ${t(effect === 'allow' ? 'explain.allow' : 'explain.deny')}`
                : t('explain.notApplied')}
            </Badge>
          </div>
          <p className="wrap-anywhere mt-0.5 text-soft">{whyNot === null ? source : reasonText(whyNot)}</p>
        </li>
      ))}
    </ol>
  </section>
)

const SignInResult = ({ explanation }: { readonly explanation: OfSignIn }) => (
  <Result explanation={{ ...explanation, isJwt: explanation.kind === 'jwt' }} />
)

const ExchangeResult = ({ explanation }: { readonly explanation: OfExchange }) => (
  <>
    <Result explanation={{ ...explanation, isJwt: explanation.audience !== null }} />
    {explanation.rules.length > 0 && <Rules rules={explanation.rules} />}
  </>
)

export const Explain = () => {
  const asked = route.useSearch()
  const { user, application, resource, organization, scope, by, of } = asked
  const isComplete = user !== undefined && application !== undefined
  const params = { userId: user ?? '', applicationId: application ?? '' }
  const query = {
    ...(scope === undefined ? {} : { scope }),
    ...(resource === undefined ? {} : { resource }),
    ...(organization === undefined ? {} : { organizationId: organization }),
  }
  const exchange = {
    ...query,
    ...(by ? { subjectType: by } : {}),
    ...(of === undefined ? {} : { subjectAudience: of }),
  }
  const signedIn = useAnswer('simulateUserToken', { params, query }, isComplete && !by)
  const exchanged = useAnswer('explainExchange', { params, query: exchange }, isComplete && by !== undefined)
  const { error, refetch } = by ? exchanged : signedIn
  const call = by
    ? ({ id: 'explainExchange', input: { params, query: exchange } } as const)
    : ({ id: 'simulateUserToken', input: { params, query } } as const)
  return (
    <Page title={t('nav.explain')} text={t('explain.text')} actions={isComplete && <ShowApiCall calls={[call]} />}>
      {may('listUsers', 'listApplications') && <Question asked={asked} />}
      {!isComplete ? (
        <div className="rounded-xl border border-line bg-surface">
          <EmptyState icon={<ScanSearch size={20} />} title={t('explain.none')} text={t('explain.noneText')} />
        </div>
      ) : error ? (
        <ErrorState error={error} retry={refetch} />
      ) : by && exchanged.data ? (
        <ExchangeResult explanation={exchanged.data} />
      ) : !by && signedIn.data ? (
        <SignInResult explanation={signedIn.data} />
      ) : (
        <Loading />
      )}
    </Page>
  )
}
