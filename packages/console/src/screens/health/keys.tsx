/** The signing keys of the tenant: which signs, which is next, what clients see, rotation, and the end of an old one. */
import { RotateCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type Answer, may, useAnswer, useChange } from '../../api/client.ts'
import { ago, moment } from '../../languages/formats.ts'
import { type Phrase, t } from '../../languages/languages.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { Card } from '../../parts/page.tsx'
import { ErrorState, Loading } from '../../parts/states.tsx'
import { notify } from '../../parts/toast.tsx'
import { tenantOrigin } from '../../session/place.ts'
import { RotateKeys } from './rotate-keys.tsx'

type Key = Answer<'listSigningKeys'>[number]

const STATES = {
  Next: { tone: 'accent', title: 'keys.next' },
  Current: { tone: 'good', title: 'keys.current' },
  Previous: { tone: 'plain', title: 'keys.previous' },
} as const satisfies Record<Key['status'], { readonly tone: Tone; readonly title: Phrase }>

/** What is typed to delete one: the whole id is the length of a hash. */
const shortOf = ({ id }: Key): string => id.slice(0, 8)

const sinceOf = ({ status, effectiveAt }: Key): string =>
  t(status === 'Next' ? 'keys.signsFrom' : 'keys.signedFrom', { when: ago(effectiveAt) })

const Line = ({ shown, onDelete }: { readonly shown: Key; readonly onDelete: () => void }) => {
  const { id, algorithm, chain, status, effectiveAt } = shown
  const { tone, title } = STATES[status]
  return (
    <li className="flex items-center gap-3 border-line py-3 not-last:border-b">
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-2">
          <span className="font-medium">{algorithm}</span>
          <Badge tone={tone}>{t(title)}</Badge>
          {chain !== 'main' && <span className="text-soft text-xs">{t('keys.chain', { algorithm: chain })}</span>}
        </div>
        <div className="truncate font-mono text-soft text-xs" title={id}>
          {id}
        </div>
        <div className="text-soft text-xs" title={moment(effectiveAt)}>
          {sinceOf(shown)}
        </div>
      </div>
      {status === 'Previous' && may('deleteSigningKey') && (
        <IconButton label={`${t('keys.delete')}: ${shortOf(shown)}`} onClick={onDelete}>
          <Trash2 size={16} />
        </IconButton>
      )}
    </li>
  )
}

export const Keys = () => {
  const { data: keys, error, refetch } = useAnswer('listSigningKeys', {})
  const remove = useChange('deleteSigningKey')
  const [isRotating, setRotating] = useState(false)
  const [doomed, setDoomed] = useState<Key>()
  return (
    <>
      <Card
        title={t('keys.title')}
        text={t('keys.text')}
        actions={
          may('rotateSigningKeys') && (
            <Button onClick={() => setRotating(true)}>
              <RotateCw size={15} aria-hidden />
              {t('keys.rotate')}
            </Button>
          )
        }
      >
        {error ? (
          <ErrorState error={error} retry={refetch} />
        ) : keys === undefined ? (
          <Loading lines={2} />
        ) : (
          <ul aria-label={t('keys.title')}>
            {keys.map((key) => (
              <Line key={key.id} shown={key} onDelete={() => setDoomed(key)} />
            ))}
          </ul>
        )}
      </Card>
      <Card title={t('keys.public')} text={t('keys.publicText')}>
        <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
          <CopyField label={t('keys.jwks')} value={`${tenantOrigin()}/oidc/jwks`} />
          <CopyField label={t('keys.discovery')} value={`${tenantOrigin()}/oidc/.well-known/openid-configuration`} />
        </div>
      </Card>
      {isRotating && (
        <RotateKeys
          current={keys?.find(({ status, chain }) => status === 'Current' && chain === 'main')}
          hasNext={keys?.some(({ status }) => status === 'Next') ?? false}
          onClose={() => setRotating(false)}
        />
      )}
      {doomed && (
        <Confirm
          isOpen
          onClose={() => {
            setDoomed(undefined)
            remove.reset()
          }}
          title={t('keys.delete')}
          text={t('keys.deleteText')}
          action={t('action.delete')}
          typed={shortOf(doomed)}
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() =>
            remove.mutate(
              { params: { keyId: doomed.id } },
              {
                onSuccess: () => {
                  setDoomed(undefined)
                  notify(t('keys.deleted'))
                },
              },
            )
          }
        />
      )}
    </>
  )
}
