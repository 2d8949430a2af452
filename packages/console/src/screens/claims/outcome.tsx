/** What came of a test: the claims, those that were dropped, what the script wrote, and the time that it took. */
import { ManagementApiError } from '@countersign/contract'
import { t } from '../../languages/languages.ts'
import { Badge } from '../../parts/badge.tsx'
import { CodeBlock } from '../../parts/code-block.tsx'
import { ErrorState } from '../../parts/states.tsx'

/** The answer with details, and the data of a failure. */
interface Details {
  readonly claims?: unknown
  readonly dropped?: readonly string[]
  readonly console?: readonly { readonly level: string; readonly text: string }[]
  readonly cpuTime?: number
}

export const Outcome = ({ answer, error }: { readonly answer: unknown; readonly error: unknown }) => {
  const details = (error instanceof ManagementApiError ? error.data : answer) as Details | undefined
  if (!details && !error) return null
  const { claims, dropped = [], console: lines = [], cpuTime } = details ?? {}
  return (
    <div role="status" className="space-y-3">
      {error !== null && error !== undefined && <ErrorState error={error} />}
      {claims !== undefined && <CodeBlock title={t('claims.claims')} code={JSON.stringify(claims, null, 2)} />}
      {dropped.length > 0 && (
        <p className="flex flex-wrap items-center gap-1.5">
          {t('claims.dropped')}
          {dropped.map((name) => (
            <Badge key={name} tone="warn">
              {name}
            </Badge>
          ))}
        </p>
      )}
      {lines.length > 0 && (
        <CodeBlock title={t('claims.console')} code={lines.map(({ level, text }) => `${level}: ${text}`).join('\n')} />
      )}
      {cpuTime !== undefined && <p className="text-soft text-xs">{t('claims.took', { ms: cpuTime })}</p>}
    </div>
  )
}
