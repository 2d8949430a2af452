/** How far an import is, and what was refused. */
import { Link } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import { number } from '../../../languages/formats.ts'
import { t } from '../../../languages/languages.ts'
import { Button, buttonClass } from '../../../parts/button.tsx'
import { Card } from '../../../parts/page.tsx'
import { ErrorState } from '../../../parts/states.tsx'
import { saveReasons, saveRefused } from './report.ts'
import type { ImportState } from './run.ts'
import type { Source } from './source.ts'

const SHOWN = 100

interface ProgressProps {
  readonly source: Source
  readonly state: ImportState
  readonly onStop: () => void
  readonly onAgain: () => void
}

const Refused = ({ source, refused }: { readonly source: Source; readonly refused: ImportState['refused'] }) => (
  <Card
    title={t('import.refused', { count: number(refused.length) })}
    text={t('import.refusedText')}
    actions={
      <>
        <Button onClick={() => saveRefused(source, refused)}>
          <Download size={15} aria-hidden />
          {t('import.saveRefused')}
        </Button>
        <Button onClick={() => saveReasons(source, refused)}>
          <Download size={15} aria-hidden />
          {t('import.saveReasons')}
        </Button>
      </>
    }
  >
    <ul aria-label={t('import.refusedLines')}>
      {refused.slice(0, SHOWN).map(({ line, raw, message }) => (
        <li key={line} className="flex gap-4 border-line py-2 not-last:border-b">
          <span className="w-20 shrink-0 text-soft tabular-nums">{t('import.line', { line: number(line) })}</span>
          <span className="min-w-0 flex-1">
            <span className="wrap-anywhere block font-medium">{message}</span>
            <code className="block truncate font-mono text-soft text-xs">{raw}</code>
          </span>
        </li>
      ))}
    </ul>
    {refused.length > SHOWN && <p className="mt-2 text-soft">{t('import.more', { shown: SHOWN })}</p>}
  </Card>
)

export const ImportProgress = ({ source, state, onStop, onAgain }: ProgressProps) => {
  const { phase, share, lines, created, refused, error } = state
  const isRunning = phase === 'running'
  return (
    <>
      <Card
        title={t(`import.${phase}`)}
        text={source.file.name}
        actions={
          isRunning ? (
            <Button onClick={onStop}>{t('bulk.stop')}</Button>
          ) : (
            <>
              <Button onClick={onAgain}>{t('import.another')}</Button>
              <Link to="/users" className={buttonClass('primary')}>
                {t('nav.users')}
              </Link>
            </>
          )
        }
      >
        <progress
          aria-label={t('bulk.progress')}
          max={1}
          value={phase === 'finished' ? 1 : Math.min(share, 1)}
          className="block h-2 w-full accent-accent-fill"
        />
        <p className="mt-2" aria-live="polite">
          {t('import.counts', {
            lines: number(lines),
            created: number(created),
            refused: number(refused.length),
          })}
        </p>
        {phase === 'stopped' && <p className="mt-1 text-soft">{t('import.stoppedText')}</p>}
        {error !== undefined && <ErrorState error={error} />}
      </Card>
      {refused.length > 0 && <Refused source={source} refused={refused} />}
    </>
  )
}
