/** How a user proves who they are, and where they are signed in. */
import { may, useAnswer, useChange } from '../../api/client.ts'
import { ago } from '../../languages/formats.ts'
import { type Phrase, t } from '../../languages/languages.ts'
import { ItemList } from '../../parts/item-list.tsx'
import { notify } from '../../parts/toast.tsx'
import { deviceOf } from './device.ts'

const FACTORS: Readonly<Record<'Totp' | 'WebAuthn' | 'BackupCode', Phrase>> = {
  Totp: 'factor.totp',
  WebAuthn: 'factor.passkey',
  BackupCode: 'factor.backup',
}

const Sessions = ({ id }: { readonly id: string }) => {
  const { data, error } = useAnswer('listUserSessions', { params: { userId: id } })
  const end = useChange('endUserSession')
  return (
    <ItemList
      title={t('user.sessions')}
      text={t('user.sessionsText')}
      items={data?.sessions.map(({ payload, lastSubmission, expiresAt }) => ({
        id: payload.uid,
        title: deviceOf(lastSubmission?.signInContext?.userAgent) ?? t('user.unknownDevice'),
        detail: [
          lastSubmission?.signInContext?.ip,
          t('user.sessionTimes', { since: ago(payload.loginTs * 1000), until: ago(expiresAt) }),
        ]
          .filter((each) => each !== undefined)
          .join(' · '),
      }))}
      error={error}
      none={t('user.noSessions')}
      removal={
        may('endUserSession')
          ? {
              title: t('user.endSession'),
              text: t('user.endSessionText'),
              action: t('user.endSession'),
              isBusy: end.isPending,
              error: end.error,
              onClose: end.reset,
              onRemove: (sessionId, done) =>
                end.mutate(
                  { params: { userId: id, sessionId } },
                  {
                    onSuccess: () => {
                      done()
                      notify(t('user.sessionEnded'))
                    },
                  },
                ),
            }
          : undefined
      }
    />
  )
}

const Factors = ({ id }: { readonly id: string }) => {
  const { data, error } = useAnswer('listUserFactors', { params: { userId: id } })
  const remove = useChange('deleteUserFactor')
  return (
    <ItemList
      title={t('user.factors')}
      text={t('user.factorsText')}
      items={data?.map(({ id: factorId, type, name, remainCodes, createdAt, lastUsedAt }) => ({
        id: factorId,
        title: name ?? t(FACTORS[type]),
        detail:
          remainCodes === undefined
            ? t('user.factorTimes', {
                created: ago(Date.parse(createdAt)),
                used: lastUsedAt === undefined ? t('users.never') : ago(Date.parse(lastUsedAt)),
              })
            : t('factor.remaining', { count: remainCodes }),
      }))}
      error={error}
      none={t('user.noFactors')}
      removal={
        may('deleteUserFactor')
          ? {
              title: t('user.removeFactor'),
              text: t('user.removeFactorText'),
              action: t('user.removeFactor'),
              isBusy: remove.isPending,
              error: remove.error,
              onClose: remove.reset,
              onRemove: (verificationId, done) =>
                remove.mutate({ params: { userId: id, verificationId } }, { onSuccess: done }),
            }
          : undefined
      }
    />
  )
}

const Devices = ({ id }: { readonly id: string }) => {
  const { data, error } = useAnswer('listTrustedDevices', { params: { userId: id } })
  const remove = useChange('deleteTrustedDevice')
  return (
    <ItemList
      title={t('user.devices')}
      text={t('user.devicesText')}
      items={data?.map(({ id: deviceId, userAgent, city, country, lastUsedAt }) => ({
        id: deviceId,
        title: deviceOf(userAgent ?? undefined) ?? t('user.unknownDevice'),
        detail: [city, country, ago(lastUsedAt)].filter(Boolean).join(' · '),
      }))}
      error={error}
      none={t('user.noDevices')}
      removal={
        may('deleteTrustedDevice')
          ? {
              title: t('user.removeDevice'),
              text: t('user.removeDeviceText'),
              action: t('user.removeDevice'),
              isBusy: remove.isPending,
              error: remove.error,
              onClose: remove.reset,
              onRemove: (trustedDeviceId, done) =>
                remove.mutate({ params: { userId: id, trustedDeviceId } }, { onSuccess: done }),
            }
          : undefined
      }
    />
  )
}

export const UserSecurity = ({ id }: { readonly id: string }) => (
  <div className="grid grid-cols-1 items-start gap-x-4 lg:grid-cols-2">
    <Sessions id={id} />
    <div>
      <Factors id={id} />
      <Devices id={id} />
    </div>
  </div>
)
