/** The password of a user: whether there is one, set by an administrator, or declared expired so that the user chooses another. */
import { useState } from 'react'
import { type Answer, may, useAnswer, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { errorAt } from '../../parts/form.ts'
import { Card } from '../../parts/page.tsx'
import { ErrorState } from '../../parts/states.tsx'
import { notify } from '../../parts/toast.tsx'
import { ResetLink } from './reset-link.tsx'

type User = Answer<'getUser'>

const SetPassword = ({ id, onClose }: { readonly id: string; readonly onClose: () => void }) => {
  const put = useChange('updateUserPassword')
  const [password, setPassword] = useState('')
  const atField = errorAt(put.error, 'password')
  return (
    <Dialog isOpen onClose={onClose} title={t('user.setPassword')} description={t('user.setPasswordText')}>
      <form
        noValidate
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          put.mutate(
            { params: { userId: id }, body: { password } },
            {
              onSuccess: () => {
                onClose()
                notify(t('user.passwordSet'))
              },
            },
          )
        }}
      >
        <Field
          name="password"
          label={t('user.newPassword')}
          type="password"
          autoComplete="new-password"
          value={password}
          onChange={setPassword}
          error={atField}
        />
        {put.error && !atField ? <ErrorState error={put.error} /> : null}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button look="primary" type="submit" isBusy={put.isPending} disabled={password === ''}>
            {t('user.setPassword')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

const Expire = ({ id, onClose }: { readonly id: string; readonly onClose: () => void }) => {
  const expire = useChange('expireUserPassword')
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={t('user.expire')}
      text={t('user.expireText')}
      action={t('user.expire')}
      isBusy={expire.isPending}
      error={expire.error}
      onConfirm={() =>
        expire.mutate(
          { params: { userId: id }, body: { isExpired: true } },
          {
            onSuccess: () => {
              onClose()
              notify(t('user.expired'))
            },
          },
        )
      }
    />
  )
}

export const UserPassword = ({ user }: { readonly user: User }) => {
  const { id, hasPassword } = user
  const [asked, ask] = useState<'set' | 'expire' | 'link'>()
  const { data: offered } = useAnswer('getPublicSignInExperience', {}, may('createOneTimeToken'))
  // the contract leaves open what this object holds
  const mayReset = (offered?.forgotPassword as { readonly email?: boolean } | undefined)?.email === true
  const { data: center } = useAnswer('getPublicAccountCenter', {}, may('createOneTimeToken'))
  const { data: experience } = useAnswer('getSignInExperience', {}, hasPassword)
  const close = () => ask(undefined)
  return (
    <Card
      title={t('users.password')}
      text={t(hasPassword ? 'user.passwordText' : 'user.noPasswordText')}
      actions={
        <>
          {may('expireUserPassword') && hasPassword && experience?.passwordExpiration.enabled && (
            <Button onClick={() => ask('expire')}>{t('user.expire')}</Button>
          )}
          {may('createOneTimeToken') && user.primaryEmail && center?.enabled && mayReset && (
            <Button onClick={() => ask('link')}>{t('user.resetLink')}</Button>
          )}
          {may('updateUserPassword') && (
            <Button onClick={() => ask('set')}>{t(hasPassword ? 'user.changePassword' : 'user.setPassword')}</Button>
          )}
        </>
      }
    >
      {asked === 'link' && user.primaryEmail && <ResetLink email={user.primaryEmail} onClose={close} />}
      {asked === 'set' && <SetPassword id={id} onClose={close} />}
      {asked === 'expire' && <Expire id={id} onClose={close} />}
    </Card>
  )
}
