/** A link by which a user chooses a new password: sent to the address, or shown to be sent by other means. */
import { useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Button } from '../../parts/button.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { ErrorState } from '../../parts/states.tsx'
import { notify } from '../../parts/toast.tsx'
import { tenantOrigin } from '../../session/place.ts'

const LIFE_SECONDS = 3600
/** The account page to which it leads in the end. */
const PLACE = `${tenantOrigin()}/account/security`

const linkWith = (token: string, email: string): string =>
  `${PLACE}?${new URLSearchParams({ one_time_token: token, login_hint: email })}`

export const ResetLink = ({ email, onClose }: { readonly email: string; readonly onClose: () => void }) => {
  const create = useChange('createOneTimeToken')
  const body = { email, context: { interactionEvent: 'ForgotPassword' as const }, expiresIn: LIFE_SECONDS }
  const send = () =>
    create.mutate(
      { body: { ...body, messagePayload: { link: PLACE } } },
      {
        onSuccess: () => {
          onClose()
          notify(t('user.resetSent', { email }))
        },
      },
    )
  return (
    <Dialog isOpen onClose={onClose} title={t('user.resetLink')} description={t('user.resetLinkText', { email })}>
      {create.data && <CopyField label={t('user.link')} value={linkWith(create.data.token, email)} />}
      {create.error && <ErrorState error={create.error} />}
      <div className="mt-4 flex flex-wrap justify-end gap-2">
        {create.data ? (
          <Button look="primary" onClick={onClose}>
            {t('action.close')}
          </Button>
        ) : (
          <>
            <Button onClick={() => create.mutate({ body })} disabled={create.isPending}>
              {t('user.showLink')}
            </Button>
            <Button look="primary" onClick={send} isBusy={create.isPending}>
              {t('user.sendLink')}
            </Button>
          </>
        )}
      </div>
    </Dialog>
  )
}
