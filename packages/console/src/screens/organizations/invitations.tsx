/** The invitations of an organization: sent again, revoked, deleted. */
import { Mail, Plus, Send, Trash2, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { may, type Row, useAnswer, useChange } from '../../api/client.ts'
import { ago } from '../../languages/formats.ts'
import { t } from '../../languages/languages.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { EmptyState, ErrorState, Loading } from '../../parts/states.tsx'
import { notify } from '../../parts/toast.tsx'
import { Invite } from './invite.tsx'

type Invitation = Row<'listOrganizationInvitations'>

const TONES: Readonly<Record<Invitation['status'], Tone>> = {
  Pending: 'accent',
  Accepted: 'good',
  Revoked: 'plain',
  Expired: 'warn',
}

interface LineProps {
  readonly invitation: Invitation
  readonly onSend: () => void
  readonly onEnd: () => void
}

const Line = ({ invitation, onSend, onEnd }: LineProps) => {
  const { invitee, status, organizationRoles, createdAt, expiresAt } = invitation
  const isPending = status === 'Pending'
  const mayEnd = may(isPending ? 'setOrganizationInvitationStatus' : 'deleteOrganizationInvitation')
  const end = t(isPending ? 'invitations.revoke' : 'invitations.delete')
  return (
    <li className="flex flex-wrap items-center gap-3 border-line px-4 py-2.5 not-last:border-b">
      <div className="min-w-40 flex-1">
        <div className="wrap-anywhere font-medium">{invitee}</div>
        <div className="text-soft text-xs">
          {isPending
            ? t('invitations.ends', { since: ago(createdAt), until: ago(expiresAt) })
            : t('invitations.since', { since: ago(createdAt) })}
        </div>
      </div>
      <div className="flex flex-wrap gap-1.5 max-md:order-last max-md:w-full">
        {organizationRoles.map(({ id, name }) => (
          <Badge key={id}>{name}</Badge>
        ))}
        <Badge tone={TONES[status]}>{t(`invitations.${status}`)}</Badge>
      </div>
      <div className="flex">
        {isPending && may('sendOrganizationInvitation') && (
          <IconButton label={`${t('invitations.send')}: ${invitee}`} onClick={onSend}>
            <Send size={16} />
          </IconButton>
        )}
        {mayEnd && (
          <IconButton label={`${end}: ${invitee}`} onClick={onEnd}>
            {isPending ? <Undo2 size={16} /> : <Trash2 size={16} />}
          </IconButton>
        )}
      </div>
    </li>
  )
}

const End = ({ invitation, onClose }: { readonly invitation: Invitation; readonly onClose: () => void }) => {
  const { id, invitee, status } = invitation
  const revoke = useChange('setOrganizationInvitationStatus')
  const remove = useChange('deleteOrganizationInvitation')
  const isPending = status === 'Pending'
  const action = t(isPending ? 'invitations.revoke' : 'invitations.delete')
  const onSuccess = () => {
    onClose()
    notify(t('form.saved'))
  }
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={`${action}: ${invitee}`}
      text={t(isPending ? 'invitations.revokeText' : 'invitations.deleteText')}
      action={action}
      isBusy={revoke.isPending || remove.isPending}
      error={revoke.error ?? remove.error}
      onConfirm={() =>
        isPending
          ? revoke.mutate({ params: { id }, body: { status: 'Revoked' } }, { onSuccess })
          : remove.mutate({ params: { id } }, { onSuccess })
      }
    />
  )
}

export const Invitations = ({ id }: { readonly id: string }) => {
  const { data, error, refetch } = useAnswer('listOrganizationInvitations', { query: { organizationId: id } })
  const send = useChange('sendOrganizationInvitation')
  const [isInviting, setInviting] = useState(false)
  const [ended, end] = useState<Invitation>()
  const invite = may('createOrganizationInvitation') && (
    <Button look="primary" onClick={() => setInviting(true)}>
      <Plus size={15} aria-hidden />
      {t('invitations.invite')}
    </Button>
  )
  return (
    <div className="overflow-hidden rounded-xl border border-line bg-surface">
      <div className="flex justify-end border-line border-b p-3">{invite}</div>
      {send.error && <ErrorState error={send.error} />}
      {error ? (
        <ErrorState error={error} retry={refetch} />
      ) : data === undefined ? (
        <Loading />
      ) : data.length === 0 ? (
        <EmptyState icon={<Mail size={20} />} title={t('invitations.none')} text={t('invitations.noneText')}>
          {invite}
        </EmptyState>
      ) : (
        <ul aria-label={t('organizations.tab.invitations')}>
          {data.map((invitation) => (
            <Line
              key={invitation.id}
              invitation={invitation}
              onEnd={() => end(invitation)}
              onSend={() =>
                send.mutate(
                  { params: { id: invitation.id }, body: {} },
                  { onSuccess: () => notify(t('invitations.sent', { invitee: invitation.invitee })) },
                )
              }
            />
          ))}
        </ul>
      )}
      {isInviting && <Invite id={id} onClose={() => setInviting(false)} />}
      {ended && <End invitation={ended} onClose={() => end(undefined)} />}
    </div>
  )
}
