/** The settings of a webhook. */
import { may, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { useForm } from '../../parts/form.ts'
import { Card } from '../../parts/page.tsx'
import { SaveBar } from '../../parts/save-bar.tsx'
import { notify } from '../../parts/toast.tsx'
import { HookFields } from './fields.tsx'
import { bodyOf, type Hook, SECRET_FIELDS, valuesOf } from './hook.ts'

export const HookSettings = ({ hook }: { readonly hook: Hook }) => {
  const { id } = hook
  const { values, set, isChanged, reset } = useForm(`webhook.${id}`, valuesOf(hook), SECRET_FIELDS)
  const update = useChange('updateHook')
  const isReadOnly = !may('updateHook')
  return (
    <Card title={t('webhooks.tab.settings')}>
      <form
        noValidate
        className="max-w-3xl"
        onSubmit={(event) => {
          event.preventDefault()
          update.mutate(
            { params: { id }, body: bodyOf(values, hook) },
            {
              onSuccess: () => {
                reset()
                notify(t('form.saved'))
              },
            },
          )
        }}
      >
        <HookFields values={values} set={set} error={update.error} isReadOnly={isReadOnly} />
        {!isReadOnly && <SaveBar isChanged={isChanged} isBusy={update.isPending} onDiscard={reset} />}
      </form>
    </Card>
  )
}
