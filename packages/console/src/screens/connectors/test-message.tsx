/** A test message with the configuration as it is typed; where it fails, what is wrong and what to do about it. */
import { ManagementApiError } from '@countersign/contract'
import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { type Input, useChange } from '../../api/client.ts'
import { type Phrase, t } from '../../languages/languages.ts'
import { Button } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import { ADVICE } from '../../parts/findings.ts'
import { errorAt } from '../../parts/form.ts'
import { Card } from '../../parts/page.tsx'
import { ErrorState } from '../../parts/states.tsx'

type Config = NonNullable<NonNullable<Input<'testConnector'>>['body']>['config']

const adviceOn = (error: unknown): Phrase | undefined =>
  error instanceof ManagementApiError ? ADVICE[String(error.data?.kind)] : undefined

interface TestMessageProps {
  /** The id of the connector factory. */
  readonly kind: string
  readonly type: 'Email' | 'Sms'
  readonly config: unknown
  /** Whether what is typed can be sent. */
  readonly isReady: () => boolean
}

export const TestMessage = ({ kind, type, config, isReady }: TestMessageProps) => {
  const [to, setTo] = useState('')
  const test = useChange('testConnector')
  const member = type === 'Email' ? 'email' : 'phone'
  const recipientError = errorAt(test.error, member, 'user.invalid_email', 'user.invalid_phone')
  const advice = adviceOn(test.error)
  return (
    <Card title={t('connectors.test')} text={t('connectors.testText')}>
      <form
        noValidate
        className="max-w-2xl space-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isReady()) return
          test.mutate({
            params: { factoryId: kind },
            body: { ...(type === 'Email' ? { email: to.trim() } : { phone: to.trim() }), config: config as Config },
          })
        }}
      >
        <Field
          name={member}
          type={type === 'Email' ? 'email' : 'tel'}
          label={t(type === 'Email' ? 'connectors.testEmail' : 'connectors.testPhone')}
          value={to}
          onChange={(next) => {
            test.reset()
            setTo(next)
          }}
          error={recipientError}
          placeholder={type === 'Email' ? 'me@example.com' : '+49 30 901820'}
        />
        {test.error && recipientError === undefined && (
          <>
            <ErrorState error={test.error} />
            {advice && <p className="px-4">{t(advice)}</p>}
          </>
        )}
        {test.isSuccess && (
          <p role="status" className="flex items-start gap-3 rounded-xl bg-good-tint p-3 text-good">
            <CircleCheck size={18} aria-hidden className="shrink-0" />
            {t('connectors.tested')}
          </p>
        )}
        <Button type="submit" isBusy={test.isPending} disabled={to.trim() === ''}>
          {t('connectors.send')}
        </Button>
      </form>
    </Card>
  )
}
