/** Initial access tokens: the value of a new one is shown once. */
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { may, useAnswer, useChange } from '../../api/client.ts'
import { ago } from '../../languages/formats.ts'
import { t } from '../../languages/languages.ts'
import { Button } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import { ItemList } from '../../parts/item-list.tsx'
import { FOREVER } from '../../parts/life.tsx'
import { NewToken } from '../../parts/new-token.tsx'

const LIVES = [FOREVER, '7', '30', '90', '365'] as const

export const InitialAccessTokens = () => {
  const { data, error } = useAnswer('listInitialAccessTokens', { query: { page_size: 100 } })
  const create = useChange('createInitialAccessToken')
  const remove = useChange('deleteInitialAccessToken')
  const [isAdding, add] = useState(false)
  const [uses, setUses] = useState('1')
  return (
    <>
      <ItemList
        title={t('registration.tokens')}
        text={t('registration.tokensText')}
        items={data?.map(({ id, name, registrations: count, maxRegistrations: most, expiresAt }) => ({
          id,
          title: name,
          detail: [
            most === null
              ? t('registration.usedAny', { count: String(count) })
              : t('registration.used', { count: String(count), most: String(most) }),
            ...(expiresAt === null ? [] : [t('secrets.expires', { when: ago(expiresAt) })]),
          ].join(' · '),
        }))}
        error={error}
        none={t('registration.noTokens')}
        actions={
          may('createInitialAccessToken') && (
            <Button onClick={() => add(true)}>
              <Plus size={15} aria-hidden />
              {t('scimTokens.add')}
            </Button>
          )
        }
        removal={
          may('deleteInitialAccessToken')
            ? {
                title: t('scimTokens.delete'),
                text: t('registration.deleteText'),
                typed: (id) => data?.find((each) => each.id === id)?.name ?? id,
                action: t('scimTokens.delete'),
                isBusy: remove.isPending,
                error: remove.error,
                onClose: remove.reset,
                onRemove: (id, done) => remove.mutate({ params: { id } }, { onSuccess: done }),
              }
            : undefined
        }
      />
      {isAdding && (
        <NewToken
          title={t('scimTokens.add')}
          text={t('registration.addTokenText')}
          shown={(name) => ({
            title: t('scimTokens.created'),
            text: t('scimTokens.once'),
            label: name,
            action: t('scimTokens.kept'),
          })}
          lives={LIVES}
          life="30"
          change={create}
          onSubmit={(body) => create.mutate({ body: { ...body, maxRegistrations: Number(uses) || null } })}
          onClose={() => {
            add(false)
            create.reset()
          }}
        >
          <Field name="uses" label={t('registration.uses')} type="number" value={uses} onChange={setUses} />
        </NewToken>
      )}
    </>
  )
}
