/** The tokens of a SCIM directory: the value of a new one is shown once; another beside it replaces one without a gap. */
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { may, useAnswer, useChange } from '../../api/client.ts'
import { ago } from '../../languages/formats.ts'
import { t } from '../../languages/languages.ts'
import { Button } from '../../parts/button.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { errorAt } from '../../parts/form.ts'
import { ItemList } from '../../parts/item-list.tsx'
import { SelectField } from '../../parts/select.tsx'
import { ErrorState } from '../../parts/states.tsx'

const DAY_MS = 86_400_000
const LIVES = ['0', '90', '365', '730'] as const

const NewToken = ({ id, onClose }: { readonly id: string; readonly onClose: () => void }) => {
  const create = useChange('createScimToken')
  const [name, setName] = useState('')
  const [days, setDays] = useState('0')
  const nameError = errorAt(create.error, 'name')
  if (create.data)
    return (
      <Dialog isOpen onClose={onClose} title={t('scimTokens.created')} description={t('scimTokens.once')}>
        <CopyField label={create.data.name} value={create.data.value} />
        <div className="mt-4 flex justify-end">
          <Button look="primary" onClick={onClose}>
            {t('scimTokens.kept')}
          </Button>
        </div>
      </Dialog>
    )
  return (
    <Dialog isOpen onClose={onClose} title={t('scimTokens.add')} description={t('scimTokens.addText')}>
      <form
        noValidate
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate({
            params: { id },
            body: { name: name.trim(), ...(days === '0' ? {} : { expiresAt: Date.now() + Number(days) * DAY_MS }) },
          })
        }}
      >
        <Field name="name" label={t('apis.name')} value={name} onChange={setName} error={nameError} />
        <SelectField
          label={t('secrets.life')}
          value={days}
          choices={LIVES.map((each) => [each, each === '0' ? t('secrets.forever') : t('secrets.days', { days: each })])}
          onChange={setDays}
        />
        {create.error && nameError === undefined && <ErrorState error={create.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button look="primary" type="submit" disabled={!name.trim()} isBusy={create.isPending}>
            {t('scimTokens.add')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

export const Tokens = ({ id }: { readonly id: string }) => {
  const { data, error } = useAnswer('listScimTokens', { params: { id } })
  const remove = useChange('deleteScimToken')
  const [isAdding, add] = useState(false)
  return (
    <>
      <ItemList
        title={t('scimTokens.title')}
        text={t('scimTokens.text')}
        items={data?.map(({ id: tokenId, name, createdAt, lastUsedAt, expiresAt }) => ({
          id: tokenId,
          title: name,
          detail: [
            t('user.tokenTimes', {
              created: ago(createdAt),
              used: lastUsedAt === null ? t('users.never') : ago(lastUsedAt),
            }),
            ...(expiresAt === null ? [] : [t('secrets.expires', { when: ago(expiresAt) })]),
          ].join(' · '),
        }))}
        error={error}
        none={t('scimTokens.none')}
        actions={
          may('createScimToken') && (
            <Button onClick={() => add(true)}>
              <Plus size={15} aria-hidden />
              {t('scimTokens.add')}
            </Button>
          )
        }
        removal={
          may('deleteScimToken')
            ? {
                title: t('scimTokens.delete'),
                text: t('scimTokens.deleteText'),
                action: t('scimTokens.delete'),
                isBusy: remove.isPending,
                error: remove.error,
                onClose: remove.reset,
                onRemove: (scimTokenId, done) => remove.mutate({ params: { id, scimTokenId } }, { onSuccess: done }),
              }
            : undefined
        }
      />
      {isAdding && <NewToken id={id} onClose={() => add(false)} />}
    </>
  )
}
