/** What the server finds where it asks others: its own address, the proxy, the mail server, the identity providers. */
import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { type Answer, callOnce, may } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Button } from '../../parts/button.tsx'
import { askedText, foundText } from '../../parts/findings.ts'
import { Card } from '../../parts/page.tsx'
import { ErrorState } from '../../parts/states.tsx'

type Found = Answer<'checkOutside'>['findings']

const MARKS = {
  ok: [CircleCheck, 'health.good', 'text-good'],
  warning: [TriangleAlert, 'health.warn', 'text-warn'],
  problem: [CircleAlert, 'health.bad', 'text-bad'],
} as const

interface Check {
  readonly isRunning: boolean
  readonly found?: Found
  readonly error?: unknown
}

export const Outside = () => {
  const [{ isRunning, found, error }, setCheck] = useState<Check>({ isRunning: false })
  const run = async () => {
    setCheck({ isRunning: true })
    try {
      setCheck({ isRunning: false, found: (await callOnce('checkOutside', {})).findings })
    } catch (failure) {
      setCheck({ isRunning: false, error: failure })
    }
  }
  if (!may('checkOutside')) return null
  return (
    <Card
      title={t('health.outside')}
      text={t('health.outsideText')}
      actions={
        <Button onClick={() => void run()} isBusy={isRunning}>
          {t('health.outsideRun')}
        </Button>
      }
    >
      {isRunning && (
        <p role="status" className="text-soft">
          {t('health.outsideRunning')}
        </p>
      )}
      {error !== undefined && <ErrorState error={error} />}
      {found && (
        <ul aria-label={t('health.outside')}>
          {found.map((each) => {
            const { subject, about, verdict, text } = each
            const [Icon, title, tone] = MARKS[verdict]
            return (
              <li key={`${subject} ${text}`} className="flex items-start gap-3 border-line py-3 not-last:border-b">
                <Icon size={18} aria-label={t(title)} className={`mt-px shrink-0 ${tone}`} />
                <div className="min-w-0">
                  <p className="wrap-anywhere font-medium">{askedText(about, subject)}</p>
                  <p className="wrap-anywhere text-soft">{foundText(each)}</p>
                </div>
              </li>
            )
          })}
        </ul>
      )}
    </Card>
  )
}
