/** The key that signs what a webhook sends: shown on request, and replaced while the one before still signs beside it. */
import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { may, useChange } from '../../api/client.ts'
import { moment } from '../../languages/formats.ts'
import { t } from '../../languages/languages.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { CopyButton } from '../../parts/copy-field.tsx'
import { Card } from '../../parts/page.tsx'
import { notify } from '../../parts/toast.tsx'
import type { Hook } from './hook.ts'

export const SigningKey = ({ hook: { id, signingKey, previousSigningKeyExpiresAt } }: { readonly hook: Hook }) => {
  const [isShown, setShown] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const rotate = useChange('rotateHookSigningKey')
  return (
    <Card
      title={t('webhooks.key')}
      text={t('webhooks.keyText')}
      actions={may('rotateHookSigningKey') && <Button onClick={() => setAsking(true)}>{t('webhooks.rotate')}</Button>}
    >
      <div className="flex max-w-xl items-center rounded-lg border border-line bg-sunken ps-3">
        <code className="min-w-0 flex-1 truncate py-1.5 font-mono text-xs">
          {isShown ? signingKey : '••••••••••••••••••••••••'}
        </code>
        <IconButton label={isShown ? t('secrets.hide') : t('webhooks.showKey')} onClick={() => setShown(!isShown)}>
          {isShown ? <EyeOff size={16} /> : <Eye size={16} />}
        </IconButton>
        <CopyButton value={signingKey} label={t('webhooks.key')} />
      </div>
      {previousSigningKeyExpiresAt !== null && (
        <p className="mt-3 text-warn">{t('webhooks.previousKey', { when: moment(previousSigningKeyExpiresAt) })}</p>
      )}
      {isAsking && (
        <Confirm
          isOpen
          onClose={() => {
            setAsking(false)
            rotate.reset()
          }}
          title={t('webhooks.rotate')}
          text={t('webhooks.rotateText')}
          action={t('webhooks.rotate')}
          isBusy={rotate.isPending}
          error={rotate.error}
          onConfirm={() =>
            rotate.mutate(
              { params: { id } },
              {
                onSuccess: () => {
                  setAsking(false)
                  notify(t('webhooks.rotated'))
                },
              },
            )
          }
        />
      )}
    </Card>
  )
}
