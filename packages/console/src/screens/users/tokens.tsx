/** The personal access tokens of a user: created, shown once, deleted. */
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
import { notify } from '../../parts/toast.tsx'

const DAY_MS = 86_400_000
const LIVES = ['7', '30', '90', '365', '0'] as const
const LIFE = '30'

const NewToken = ({ id, onClose }: { readonly id: string; readonly onClose: () => void }) => {
  const create = useChange('createPersonalAccessToken')
  const [name, setName] = useState('')
  const [days, setDays] = useState<string>(LIFE)
  const nameError = errorAt(create.error, 'name', 'user.personal_access_token_name_exists')
  if (create.data)
    return (
      <Dialog isOpen onClose={onClose} title={create.data.name} description={t('user.tokenOnce')}>
        <CopyField label={t('user.token')} value={create.data.value} />
        <div className="mt-4 flex justify-end">
          <Button look="primary" onClick={onClose}>
            {t('action.close')}
          </Button>
        </div>
      </Dialog>
    )
  return (
    <Dialog isOpen onClose={onClose} title={t('user.addToken')} description={t('user.addTokenText')}>
      <form
        noValidate
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          const expiresAt = days === '0' ? null : Date.now() + Number(days) * DAY_MS
          create.mutate({ params: { userId: id }, body: { name: name.trim(), expiresAt } })
        }}
      >
        <Field name="name" label={t('apis.name')} value={name} onChange={setName} error={nameError} />
        <SelectField
          label={t('secrets.life')}
          value={days}
          choices={LIVES.map((each) => [each, each === '0' ? t('secrets.forever') : t('secrets.days', { days: each })])}
          onChange={setDays}
        />
        {create.error && !nameError ? <ErrorState error={create.error} /> : null}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button look="primary" type="submit" isBusy={create.isPending} disabled={name.trim() === ''}>
            {t('user.addToken')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

export const UserTokens = ({ id }: { readonly id: string }) => {
  const { data, error } = useAnswer('listPersonalAccessTokens', { params: { userId: id } })
  const remove = useChange('deletePersonalAccessTokenByBody')
  const [isAdding, setAdding] = useState(false)
  return (
    <>
      <ItemList
        title={t('user.tokens')}
        text={t('user.tokensText')}
        items={data?.map(({ name, createdAt, lastUsedAt, expiresAt }) => ({
          id: name,
          title: name,
          detail: [
            t('user.tokenTimes', {
              created: ago(createdAt),
              used: lastUsedAt === null ? t('users.never') : ago(lastUsedAt),
            }),
            expiresAt === null ? t('user.tokenForever') : t('user.tokenUntil', { until: ago(expiresAt) }),
          ].join(' · '),
        }))}
        error={error}
        none={t('user.noTokens')}
        actions={
          may('createPersonalAccessToken') && (
            <Button onClick={() => setAdding(true)}>
              <Plus size={15} aria-hidden />
              {t('user.addToken')}
            </Button>
          )
        }
        removal={
          may('deletePersonalAccessTokenByBody')
            ? {
                title: t('user.removeToken'),
                text: (name) => t('user.removeTokenText', { name }),
                action: t('user.removeToken'),
                isBusy: remove.isPending,
                error: remove.error,
                onClose: remove.reset,
                onRemove: (name, done) =>
                  remove.mutate(
                    { params: { userId: id }, body: { name } },
                    {
                      onSuccess: () => {
                        done()
                        notify(t('user.tokenRemoved'))
                      },
                    },
                  ),
              }
            : undefined
        }
      />
      {isAdding && <NewToken id={id} onClose={() => setAdding(false)} />}
    </>
  )
}
