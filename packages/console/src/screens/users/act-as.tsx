/** Acting as a user: a subject token for a stated reason, and the token exchange (RFC 8693) that makes an access token of it. */
import { VenetianMask } from 'lucide-react'
import { useState } from 'react'
import { type Answer, may, useAnswer, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Button } from '../../parts/button.tsx'
import { CodeBlock } from '../../parts/code-block.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { SelectField } from '../../parts/select.tsx'
import { ErrorState } from '../../parts/states.tsx'
import { currentTokens } from '../../session/session.ts'
import { exchangeOf } from './exchange.ts'
import { titleOf } from './search.ts'

const MOST = 100
const SECONDS = 60

interface ActAsProps {
  readonly user: Answer<'getUser'>
  readonly onClose: () => void
}

const Exchange = ({ token }: { readonly token: string }) => {
  const { data: applications = [] } = useAnswer('listApplications', { query: { page: 1, page_size: MOST } })
  const { data: resources = [] } = useAnswer('listResources', {
    query: { includeScopes: 'true', page: 1, page_size: MOST },
  })
  const [applicationId, setApplication] = useState('')
  const [resourceId, setResource] = useState('')
  const able = applications.filter(({ customClientMetadata }) => customClientMetadata.allowTokenExchange)
  const application = able.find(({ id }) => id === applicationId) ?? able[0]
  const apis = resources.filter(({ indicator }) => indicator !== `${location.origin}/api`)
  const resource = apis.find(({ id }) => id === resourceId) ?? apis[0]
  if (!application || !resource) {
    return <p className="mt-4 text-soft">{t(application ? 'actAs.noApi' : 'actAs.noApplication')}</p>
  }
  return (
    <div className="mt-4 space-y-4">
      <div className="flex flex-wrap gap-4">
        <SelectField
          label={t('actAs.application')}
          value={application.id}
          choices={able.map(({ id, name }) => [id, name])}
          onChange={setApplication}
        />
        <SelectField
          label={t('actAs.api')}
          value={resource?.id ?? ''}
          choices={apis.map(({ id, name }) => [id, name])}
          onChange={setResource}
        />
      </div>
      <CodeBlock title={t('actAs.exchange')} code={exchangeOf(token, application, resource)} />
    </div>
  )
}

const ActAsDialog = ({ user, onClose }: ActAsProps) => {
  const create = useChange('createSubjectToken')
  const [reason, setReason] = useState('')
  const name = titleOf(user)
  if (create.data) {
    const { subjectToken, expiresIn } = create.data
    return (
      <Dialog
        isOpen
        onClose={onClose}
        title={t('actAs.title', { name })}
        description={t('actAs.made', { minutes: Math.floor(expiresIn / SECONDS) })}
        shape="wide"
      >
        <CopyField label={t('actAs.token')} value={subjectToken} />
        <Exchange token={subjectToken} />
        <div className="mt-4 flex justify-end">
          <Button look="primary" onClick={onClose}>
            {t('action.close')}
          </Button>
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog isOpen onClose={onClose} title={t('actAs.title', { name })} description={t('actAs.text')}>
      <form
        noValidate
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          const administratorId = currentTokens().user.id
          create.mutate({ body: { userId: user.id, context: { reason: reason.trim(), administratorId } } })
        }}
      >
        <Field
          name="reason"
          label={t('actAs.reason')}
          value={reason}
          onChange={setReason}
          hint={t('actAs.reasonHint')}
          rows={2}
        />
        {create.error && <ErrorState error={create.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button look="primary" type="submit" isBusy={create.isPending} disabled={reason.trim() === ''}>
            {t('actAs.create')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** The button, and the dialog that it opens; nothing for those who may not. */
export const ActAs = ({ user }: { readonly user: Answer<'getUser'> }) => {
  const [isOpen, setOpen] = useState(false)
  if (!may('createSubjectToken') || user.isSuspended) return null
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <VenetianMask size={15} aria-hidden />
        {t('actAs.button')}
      </Button>
      {isOpen && <ActAsDialog user={user} onClose={() => setOpen(false)} />}
    </>
  )
}
