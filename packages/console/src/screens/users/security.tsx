/** How a user proves who they are, and where they are signed in. */
import { useState } from 'react'
import { type Answer, may, useAnswer, useChange, useChanges } from '../../api/client.ts'
import { ago } from '../../languages/formats.ts'
import { type Phrase, t } from '../../languages/languages.ts'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { ItemList } from '../../parts/item-list.tsx'
import { notify } from '../../parts/toast.tsx'
import { UserAccounts } from './accounts.tsx'
import { deviceOf } from './device.ts'
import { UserPassword } from './password.tsx'

const FACTORS: Readonly<Record<'Totp' | 'WebAuthn' | 'BackupCode', Phrase>> = {
  Totp: 'factor.totp',
  WebAuthn: 'factor.passkey',
  BackupCode: 'factor.backup',
}

/** What it means that it is gone. */
const MEANINGS: Readonly<Record<keyof typeof FACTORS, Phrase>> = {
  Totp: 'user.removeTotpText',
  WebAuthn: 'user.removePasskeyText',
  BackupCode: 'user.removeBackupText',
}

/** Ends every session, and what applications were given with or without one. */
const EndEverything = ({ id }: { readonly id: string }) => {
  const [isAsked, ask] = useState(false)
  const end = useChanges()
  const close = () => {
    ask(false)
    end.reset()
  }
  const params = { userId: id }
  return (
    <>
      <Button look="warning" onClick={() => ask(true)}>
        {t('user.endAll')}
      </Button>
      {isAsked && (
        <Confirm
          isOpen
          onClose={close}
          title={t('user.endAll')}
          text={t('user.endAllText')}
          action={t('user.endAll')}
          isBusy={end.isPending}
          error={end.error}
          onConfirm={() =>
            end.mutate(
              async (client) => {
                const { sessions } = await client.listUserSessions({ params })
                for (const { payload } of sessions)
                  await client.endUserSession({
                    params: { ...params, sessionId: payload.uid },
                    query: { revokeGrantsTarget: 'all' },
                  })
                const { grants } = await client.listUserGrants({ params })
                for (const { id: grantId } of grants) await client.revokeUserGrant({ params: { ...params, grantId } })
              },
              {
                onSuccess: () => {
                  close()
                  notify(t('user.endedAll'))
                },
              },
            )
          }
        />
      )}
    </>
  )
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
      actions={
        may('endUserSession', 'revokeUserGrant') && data && data.sessions.length > 0 && <EndEverything id={id} />
      }
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
              text: (factorId) => t(MEANINGS[data?.find((each) => each.id === factorId)?.type ?? 'Totp']),
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

export const UserSecurity = ({ user }: { readonly user: Answer<'getUser'> }) => {
  const { id } = user
  return (
    <div className="grid grid-cols-1 items-start gap-x-4 lg:grid-cols-2">
      <div>
        <UserPassword user={user} />
        <Sessions id={id} />
        <UserAccounts id={id} />
      </div>
      <div>
        <Factors id={id} />
        <Devices id={id} />
      </div>
    </div>
  )
}
