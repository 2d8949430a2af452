/** What came of a test: the claims, those that were dropped and why, what the script got and wrote, its time and memory. */
import { ManagementApiError } from '@countersign/contract'
import { t } from '../../languages/languages.ts'
import { Badge } from '../../parts/badge.tsx'
import { CodeBlock } from '../../parts/code-block.tsx'
import { ErrorState } from '../../parts/states.tsx'

/** The answer with details, and the data of a failure. */
interface Details {
  readonly claims?: unknown
  readonly droppedClaims?: readonly { readonly name: string; readonly why: 'registered' | 'json' }[]
  /** What the script got for a real user or application. */
  readonly token?: unknown
  readonly context?: unknown
  readonly console?: readonly { readonly level: string; readonly text: string }[]
  readonly cpuTime?: number
  /** Bytes. */
  readonly memory?: number
}

const REASONS = { registered: 'claims.dropped.registered', json: 'claims.dropped.json' } as const

export const Outcome = ({ answer, error }: { readonly answer: unknown; readonly error: unknown }) => {
  const details = (error instanceof ManagementApiError ? error.data : answer) as Details | undefined
  if (!details && !error) return null
  const { claims, droppedClaims = [], token, context, console: lines = [], cpuTime, memory } = details ?? {}
  return (
    <div role="status" className="space-y-3">
      {error !== null && error !== undefined && <ErrorState error={error} />}
      {claims !== undefined && <CodeBlock title={t('claims.claims')} code={JSON.stringify(claims, null, 2)} />}
      {droppedClaims.length > 0 && (
        <div>
          <p>{t('claims.dropped')}</p>
          <ul aria-label={t('claims.dropped')}>
            {droppedClaims.map(({ name, why }) => (
              <li key={name} className="mt-1 flex flex-wrap items-center gap-1.5">
                <Badge tone="warn">{name}</Badge>
                <span className="text-soft text-xs">{t(REASONS[why])}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
      {lines.length > 0 && (
        <CodeBlock title={t('claims.console')} code={lines.map(({ level, text }) => `${level}: ${text}`).join('\n')} />
      )}
      {token !== undefined && (
        <CodeBlock title={t('claims.given')} code={JSON.stringify({ token, context }, null, 2)} />
      )}
      {cpuTime !== undefined && (
        <p className="text-soft text-xs">
          {t('claims.took', { ms: Math.round(cpuTime * 10) / 10 })}
          {memory !== undefined && ` · ${t('claims.memory', { kb: Math.ceil(memory / 1024) })}`}
        </p>
      )}
    </div>
  )
}
