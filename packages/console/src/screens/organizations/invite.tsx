/** Invites a person to an organization, with the roles that they get there. */
import { useState } from 'react'
import { may, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { errorAt, useForm } from '../../parts/form.ts'
import { Select } from '../../parts/select.tsx'
import { ErrorState } from '../../parts/states.tsx'
import { SwitchRow } from '../../parts/switch-row.tsx'
import { notify } from '../../parts/toast.tsx'
import { RoleBoxes } from './role-boxes.tsx'

const DAY_MS = 86_400_000
const DAYS = ['1', '7', '30', '90'] as const

export const Invite = ({ id, onClose }: { readonly id: string; readonly onClose: () => void }) => {
  const { values, set, reset } = useForm(`invite.${id}`, { invitee: '', days: '7', isSent: 'true' })
  const [held, hold] = useState<ReadonlySet<string>>(new Set())
  const create = useChange('createOrganizationInvitation')
  const inviteeError = errorAt(
    create.error,
    'invitee',
    'user.invalid_email',
    'organization.invitee_is_member',
    'entity.unique_integrity_violation',
  )
  const submit = () =>
    create.mutate(
      {
        body: {
          organizationId: id,
          invitee: values.invitee.trim(),
          expiresAt: Date.now() + Number(values.days) * DAY_MS,
          organizationRoleIds: [...held],
          messagePayload: values.isSent === 'true' ? {} : false,
        },
      },
      {
        onSuccess: ({ invitee }) => {
          reset()
          onClose()
          notify(t('invitations.invited', { invitee }))
        },
      },
    )
  return (
    <Dialog isOpen onClose={onClose} title={t('invitations.invite')} description={t('invitations.inviteText')}>
      <form
        noValidate
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Field
          name="invitee"
          type="email"
          label={t('users.email')}
          value={values.invitee}
          onChange={(next) => set('invitee', next)}
          error={inviteeError}
          placeholder="ada@example.com"
        />
        {may('listOrganizationRoles') && <RoleBoxes type="User" held={held} onChange={hold} />}
        <div>
          <div className="mb-1 font-medium">{t('secrets.life')}</div>
          <Select
            label={t('secrets.life')}
            value={values.days}
            choices={DAYS.map((days) => [days, t('secrets.days', { days })] as const)}
            onChange={(days) => set('days', days)}
          />
        </div>
        <SwitchRow
          label={t('invitations.message')}
          text={t('invitations.messageText')}
          isOn={values.isSent === 'true'}
          onChange={(isOn) => set('isSent', String(isOn))}
        />
        {create.error && inviteeError === undefined && <ErrorState error={create.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button look="primary" type="submit" disabled={!values.invitee.trim()} isBusy={create.isPending}>
            {t('invitations.invite')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
