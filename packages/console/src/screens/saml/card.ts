/** A card of settings of a SAML application: its draft, the change that saves it, and what the server refused. */
import { type Input, may, useChange } from '../../api/client.ts'
import { failureOf } from '../../api/failure.ts'
import { t } from '../../languages/languages.ts'
import { useForm } from '../../parts/form.ts'
import { notify } from '../../parts/toast.tsx'

/** @param name of the card, for its draft @param stored what the server has; a switch is `true` or `false` */
export const useSettings = <Values extends Readonly<Record<string, string>>>(
  id: string,
  name: string,
  stored: Values,
) => {
  const form = useForm(`saml.${id}.${name}`, stored)
  const change = useChange('updateSamlApplication')
  return {
    values: form.values,
    set: form.set,
    /** For `SettingsCard`. */
    card: { form, change, isReadOnly: !may('updateSamlApplication') },
    error: change.error ? failureOf(change.error).sentence : undefined,
    save: (body: Input<'updateSamlApplication'>['body']) =>
      change.mutate(
        { params: { id }, body },
        {
          onSuccess: () => {
            form.reset()
            notify(t('form.saved'))
          },
        },
      ),
  }
}
