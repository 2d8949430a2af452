/** The captcha provider of the tenant: none, where browsers do a proof of work, or a service of others. */

import { ManagementApiError } from '@countersign/contract'
import { useState } from 'react'
import { type Input, may, useAnswer, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Button } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import { errorAt } from '../../parts/form.ts'
import { Card } from '../../parts/page.tsx'
import { SelectField } from '../../parts/select.tsx'
import { ErrorState } from '../../parts/states.tsx'
import { notify } from '../../parts/toast.tsx'

type Config = NonNullable<Input<'putCaptchaProvider'>>['body']['config']
const KINDS = ['none', 'Turnstile', 'RecaptchaEnterprise'] as const
type Values = Readonly<Record<string, string>>

const configOf = (
  kind: (typeof KINDS)[number],
  { siteKey = '', secretKey = '', projectId = '', mode }: Values,
): Config =>
  kind === 'RecaptchaEnterprise'
    ? {
        ...{ type: kind, siteKey: siteKey.trim(), secretKey: secretKey.trim(), projectId: projectId.trim() },
        mode: mode === 'checkbox' ? 'checkbox' : 'invisible',
      }
    : { type: 'Turnstile', siteKey: siteKey.trim(), secretKey: secretKey.trim() }

export const CaptchaCard = () => {
  const { data, error } = useAnswer('getCaptchaProvider', {})
  const put = useChange('putCaptchaProvider')
  const remove = useChange('deleteCaptchaProvider')
  const [edited, setEdited] = useState<Values>({})
  const isNone = error instanceof ManagementApiError && error.status === 404
  const stored: Values = data && !isNone ? { kind: data.config.type, ...data.config } : { kind: 'none' }
  const values = { ...stored, ...edited }
  const kind = KINDS.find((each) => each === values.kind) ?? 'none'
  const set = (name: string) => (value: string) => setEdited({ ...edited, [name]: value })
  const done = {
    onSuccess: () => {
      setEdited({})
      notify(t('form.saved'))
    },
  }
  const fields =
    kind === 'RecaptchaEnterprise'
      ? (['siteKey', 'secretKey', 'projectId'] as const)
      : (['siteKey', 'secretKey'] as const)
  if (!may('putCaptchaProvider', 'getCaptchaProvider')) return null
  return (
    <Card title={t('captcha.title')} text={t('captcha.text')}>
      {error && !isNone && <ErrorState error={error} />}
      <form
        noValidate
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (kind === 'none') remove.mutate({}, done)
          else put.mutate({ body: { config: configOf(kind, values) } }, done)
        }}
      >
        <SelectField
          label={t('captcha.kind')}
          value={kind}
          choices={KINDS.map((each) => [each, t(`captcha.kind.${each}`)])}
          onChange={set('kind')}
        />
        {kind !== 'none' &&
          fields.map((name) => (
            <Field
              key={name}
              name={name}
              label={t(`captcha.${name}`)}
              value={values[name] ?? ''}
              onChange={set(name)}
              error={errorAt(put.error, `config.${name}`)}
              {...(name === 'secretKey' ? { type: 'password' } : {})}
              isMonospace
              isRequired
            />
          ))}
        {kind === 'RecaptchaEnterprise' && (
          <SelectField
            label={t('captcha.mode')}
            value={values.mode ?? 'invisible'}
            choices={(['invisible', 'checkbox'] as const).map((each) => [each, t(`captcha.mode.${each}`)])}
            onChange={set('mode')}
          />
        )}
        {(put.error ?? remove.error) && <ErrorState error={put.error ?? remove.error} />}
        <Button
          look="primary"
          type="submit"
          disabled={Object.keys(edited).length === 0 || (kind === 'none' && stored.kind === 'none')}
          isBusy={put.isPending || remove.isPending}
        >
          {t('captcha.save')}
        </Button>
      </form>
    </Card>
  )
}
