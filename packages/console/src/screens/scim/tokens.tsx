/** The tokens of a SCIM directory: the value of a new one is shown once; another beside it replaces one without a gap. */
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { may, useAnswer, useChange } from '../../api/client.ts'
import { ago } from '../../languages/formats.ts'
import { t } from '../../languages/languages.ts'
import { Button } from '../../parts/button.tsx'
import { ItemList } from '../../parts/item-list.tsx'
import { FOREVER } from '../../parts/life.tsx'
import { NewToken } from '../../parts/new-token.tsx'

const LIVES = [FOREVER, '90', '365', '730'] as const

export const Tokens = ({ id }: { readonly id: string }) => {
  const { data, error } = useAnswer('listScimTokens', { params: { id } })
  const create = useChange('createScimToken')
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
                typed: (tokenId) => data?.find((each) => each.id === tokenId)?.name ?? tokenId,
                action: t('scimTokens.delete'),
                isBusy: remove.isPending,
                error: remove.error,
                onClose: remove.reset,
                onRemove: (scimTokenId, done) => remove.mutate({ params: { id, scimTokenId } }, { onSuccess: done }),
              }
            : undefined
        }
      />
      {isAdding && (
        <NewToken
          title={t('scimTokens.add')}
          text={t('scimTokens.addText')}
          shown={(name) => ({
            title: t('scimTokens.created'),
            text: t('scimTokens.once'),
            label: name,
            action: t('scimTokens.kept'),
          })}
          lives={LIVES}
          life={FOREVER}
          change={create}
          onSubmit={(body) => create.mutate({ params: { id }, body })}
          onClose={() => {
            add(false)
            create.reset()
          }}
        />
      )}
    </>
  )
}
