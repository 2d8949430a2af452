/** What came of a sign-in: the tokens that an application gets, decoded, and what each claim means. It needs no session of the console. */
import { RotateCcw } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Root } from 'react-dom/client'
import { type Phrase, t } from '../../languages/languages.ts'
import { Button } from '../../parts/button.tsx'
import { CopyButton } from '../../parts/copy-field.tsx'
import { Card } from '../../parts/page.tsx'
import { claimsOf } from '../../parts/token-claims.ts'
import { beginTrial, endTrial, isTrialAnswer, type TrialResult, trialAsked, trialFailure } from '../../session/trial.ts'

const EXPLAINED = [
  ...['iss', 'sub', 'aud', 'client_id', 'azp', 'exp', 'iat', 'nbf', 'jti', 'auth_time', 'nonce', 'sid', 'acr', 'amr'],
  ...['scope', 'at_hash', 'organization_id', 'roles', 'act', 'name', 'username', 'email', 'email_verified', 'picture'],
] as const
const isExplained = (name: string): boolean => (EXPLAINED as readonly string[]).includes(name)
const TIMES: ReadonlySet<string> = new Set(['exp', 'iat', 'nbf', 'auth_time', 'updated_at'])

const shown = (name: string, value: unknown): string => {
  if (typeof value === 'number' && TIMES.has(name)) return `${value} · ${new Date(value * 1000).toLocaleString()}`
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const Token = ({ title, text, token }: { readonly title: string; readonly text: string; readonly token: string }) => {
  const claims = claimsOf(token)
  return (
    <Card title={title} text={claims ? text : t('try.opaque')} actions={<CopyButton value={token} label={title} />}>
      <details>
        <summary className="text-soft">{t('try.raw')}</summary>
        <code className="mt-2 block break-all rounded-lg bg-sunken p-3 font-mono text-xs">{token}</code>
      </details>
      {claims && (
        <dl className="mt-3">
          {Object.entries(claims).map(([name, value]) => (
            <div key={name} className="grid gap-x-4 border-line border-t py-2 sm:grid-cols-[10rem_minmax(0,1fr)]">
              <dt className="wrap-anywhere font-medium font-mono text-xs">{name}</dt>
              <dd className="min-w-0">
                <span className="block break-all font-mono text-xs">{shown(name, value)}</span>
                {isExplained(name) && <span className="text-soft text-xs">{t(`try.claim.${name}` as Phrase)}</span>}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Card>
  )
}

const Result = ({ result }: { readonly result: TrialResult }) => (
  <>
    <Card title={t('try.granted')}>
      <ul aria-label={t('try.granted')} className="flex flex-wrap gap-1.5">
        {result.scope.split(' ').map((scope) => (
          <li key={scope} className="rounded-md bg-hover px-1.5 py-0.5 font-mono text-xs">
            {scope}
          </li>
        ))}
      </ul>
      <p className="mt-3 text-soft">
        {result.expiresIn !== undefined && t('try.expires', { count: result.expiresIn })}{' '}
        {t(result.hasRefreshToken ? 'try.refresh' : 'try.noRefresh')}
      </p>
    </Card>
    <Token title={t('try.accessToken')} text={t('try.accessTokenText')} token={result.accessToken} />
    {result.idToken && <Token title={t('try.idToken')} text={t('try.idTokenText')} token={result.idToken} />}
  </>
)

const Try = () => {
  const [result, setResult] = useState<TrialResult>()
  const [failure, setFailure] = useState<string>()
  const [asked] = useState(trialAsked)
  useEffect(() => {
    const fail = (error: unknown) => setFailure(trialFailure(error))
    if (isTrialAnswer()) endTrial().then(setResult, fail)
    else if (asked) beginTrial(asked).catch(fail)
    else setFailure(t('try.nothing'))
  }, [asked])
  const trial = result?.trial
  return (
    <main className="mx-auto max-w-3xl px-4 py-10">
      <div className="mb-6 flex flex-wrap items-start gap-3">
        <div className="min-w-0 flex-1">
          <h1 className="font-semibold text-xl">{t('try.title')}</h1>
          <p className="text-soft">{t('try.text')}</p>
        </div>
        {trial && (
          <Button onClick={() => void beginTrial(trial)}>
            <RotateCcw size={15} aria-hidden />
            {t('try.again')}
          </Button>
        )}
      </div>
      {failure !== undefined && (
        <p role="alert" className="wrap-anywhere rounded-xl bg-bad-tint p-4 text-bad">
          {failure}
        </p>
      )}
      {result && <Result result={result} />}
    </main>
  )
}

/** Shows it in place of the console. */
export const showTry = (root: Root): void => {
  document.title = t('page.title', { title: t('try.title') })
  root.render(<Try />)
}
