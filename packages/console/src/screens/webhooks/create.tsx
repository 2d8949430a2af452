/** A new webhook: where events are sent, and which. */
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Button, buttonClass } from '../../parts/button.tsx'
import { useForm } from '../../parts/form.ts'
import { Page } from '../../parts/page.tsx'
import { notify } from '../../parts/toast.tsx'
import { HookFields } from './fields.tsx'
import { bodyOf, NEW_HOOK, SECRET_FIELDS, titleOf } from './hook.ts'

export const CreateWebhook = () => {
  const navigate = useNavigate()
  const { values, set, reset } = useForm('new-webhook', NEW_HOOK, SECRET_FIELDS)
  const create = useChange('createHook')
  const [isIncomplete, setIncomplete] = useState(false)
  const isUrlMissing = isIncomplete && values.url.trim() === ''

  return (
    <Page title={t('webhooks.create')} up={{ to: '/webhooks', title: t('nav.webhooks') }}>
      <form
        noValidate
        className="max-w-3xl space-y-6"
        onSubmit={(event) => {
          event.preventDefault()
          if (values.url.trim() === '') {
            setIncomplete(true)
            event.currentTarget.querySelector('input')?.focus()
            return
          }
          create.mutate(
            { body: bodyOf(values) },
            {
              onSuccess: (hook) => {
                reset()
                notify(t('webhooks.created', { name: titleOf(hook) }))
                void navigate({ to: '/webhooks/$id', params: { id: hook.id } })
              },
            },
          )
        }}
      >
        <HookFields values={values} set={set} error={create.error} isUrlMissing={isUrlMissing} isReadOnly={false} />
        <div className="flex gap-2">
          <Button look="primary" type="submit" isBusy={create.isPending}>
            {t('webhooks.create')}
          </Button>
          <Link to="/webhooks" onClick={reset} className={buttonClass('ghost')}>
            {t('action.cancel')}
          </Link>
        </div>
      </form>
    </Page>
  )
}
