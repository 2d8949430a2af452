/** The keys of a SAML connector, and their rollover: a new one is published first, signs when the identity provider knows it, and the old one goes. */
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { may, useAnswer, useChange } from '../../api/client.ts'
import { moment } from '../../languages/formats.ts'
import { t } from '../../languages/languages.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { CopyButton } from '../../parts/copy-field.tsx'
import { Card } from '../../parts/page.tsx'
import { ErrorState, Loading } from '../../parts/states.tsx'
import { notify } from '../../parts/toast.tsx'

export const SsoKeys = ({ id }: { readonly id: string }) => {
  const { data: keys, error } = useAnswer('listSsoSigningKeys', { params: { id } })
  const create = useChange('createSsoSigningKey')
  const update = useChange('updateSsoSigningKey')
  const remove = useChange('deleteSsoSigningKey')
  const [doomed, doom] = useState<string>()
  const failure = error ?? create.error ?? update.error
  const close = () => {
    doom(undefined)
    remove.reset()
  }
  const activate = (keyId: string, active: boolean, undo?: () => void) =>
    update.mutate({ params: { id, keyId }, body: { active } }, { onSuccess: () => notify(t('form.saved'), undo) })
  return (
    <Card
      title={t('ssoKeys.title')}
      text={t('ssoKeys.text')}
      actions={
        may('createSsoSigningKey') && (
          <Button isBusy={create.isPending} onClick={() => create.mutate({ params: { id }, body: { active: false } })}>
            {t('ssoKeys.create')}
          </Button>
        )
      }
    >
      {failure && <ErrorState error={failure} />}
      {keys === undefined ? (
        !error && <Loading lines={2} />
      ) : keys.length === 0 ? (
        <p className="text-soft">{t('ssoKeys.none')}</p>
      ) : (
        <ul aria-label={t('ssoKeys.title')}>
          {keys.map(({ id: keyId, active, certificate, createdAt, expiresAt, fingerprints }) => (
            <li key={keyId} className="flex flex-wrap items-center gap-x-3 gap-y-2 border-line py-3 not-last:border-b">
              <span className="min-w-0 flex-1 basis-72">
                <span className="flex flex-wrap items-center gap-2 font-medium">
                  {t('ssoKeys.since', { when: moment(createdAt) })}
                  <Badge tone={active ? 'good' : 'plain'}>{t(active ? 'ssoKeys.active' : 'ssoKeys.published')}</Badge>
                </span>
                <span className="block truncate font-mono text-soft text-xs" title={fingerprints.sha256.formatted}>
                  SHA-256 {fingerprints.sha256.formatted}
                </span>
                <span className="text-soft text-xs">{t('ssoKeys.until', { when: moment(expiresAt) })}</span>
              </span>
              <CopyButton value={certificate} label={t('ssoKeys.certificate')} />
              {may('updateSsoSigningKey') && (
                <Button
                  onClick={() =>
                    activate(keyId, !active, () => {
                      const before = active ? keyId : keys.find((each) => each.active)?.id
                      activate(before ?? keyId, before !== undefined)
                    })
                  }
                >
                  {t(active ? 'ssoKeys.deactivate' : 'ssoKeys.activate')}
                </Button>
              )}
              {!active && may('deleteSsoSigningKey') && (
                <IconButton label={t('ssoKeys.delete')} onClick={() => doom(keyId)}>
                  <Trash2 size={16} />
                </IconButton>
              )}
            </li>
          ))}
        </ul>
      )}
      {doomed !== undefined && (
        <Confirm
          isOpen
          onClose={close}
          title={t('ssoKeys.delete')}
          text={t('samlKeys.deleteText')}
          action={t('ssoKeys.delete')}
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate({ params: { id, keyId: doomed } }, { onSuccess: close })}
        />
      )}
    </Card>
  )
}
