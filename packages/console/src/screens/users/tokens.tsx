/** The personal access tokens of a user: created, shown once, deleted. */
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { may, useAnswer, useChange } from '../../api/client.ts'
import { ago } from '../../languages/formats.ts'
import { t } from '../../languages/languages.ts'
import { Button } from '../../parts/button.tsx'
import { ItemList } from '../../parts/item-list.tsx'
import { FOREVER } from '../../parts/life.tsx'
import { NewToken } from '../../parts/new-token.tsx'
import { notify } from '../../parts/toast.tsx'

const LIVES = ['7', '30', '90', '365', FOREVER] as const
const LIFE = '30'

export const UserTokens = ({ id }: { readonly id: string }) => {
  const { data, error } = useAnswer('listPersonalAccessTokens', { params: { userId: id } })
  const create = useChange('createPersonalAccessToken')
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
                typed: (name) => name,
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
      {isAdding && (
        <NewToken
          title={t('user.addToken')}
          text={t('user.addTokenText')}
          shown={(name) => ({
            title: name,
            text: t('user.tokenOnce'),
            label: t('user.token'),
            action: t('action.close'),
          })}
          lives={LIVES}
          life={LIFE}
          taken="user.personal_access_token_name_exists"
          change={create}
          onSubmit={(body) => create.mutate({ params: { userId: id }, body })}
          onClose={() => {
            setAdding(false)
            create.reset()
          }}
        />
      )}
    </>
  )
}
