/** Text messages in the operator's own words, by what they are for: templates of the connector that sends them, beside a preview. */
import { Link } from '@tanstack/react-router'
import { MessageSquareText } from 'lucide-react'
import { type Input, useAnswer, useChange } from '../../api/client.ts'
import { LANGUAGES, t } from '../../languages/languages.ts'
import { ShowApiCall } from '../../parts/api-call.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Button, buttonClass } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import { errorAt, useForm } from '../../parts/form.ts'
import { Card } from '../../parts/page.tsx'
import { useRested } from '../../parts/rested.ts'
import { SaveBar } from '../../parts/save-bar.tsx'
import { SelectField } from '../../parts/select.tsx'
import { EmptyState, ErrorState, Loading } from '../../parts/states.tsx'
import { notify } from '../../parts/toast.tsx'
import type { Connector } from './kinds.ts'
import type { TemplatesProps } from './mail-templates.tsx'

type Usage = Input<'previewTextMessage'>['query']['usageType']
type Config = NonNullable<NonNullable<Input<'updateConnector'>>['body']>['config']
interface Template {
  readonly usageType: string
  readonly content: string
}

/** Owners of accounts are told of changes by mail alone. */
const USAGES = [
  'SignIn',
  'Register',
  'ForgotPassword',
  'BindNewIdentifier',
  'MfaVerification',
  'BindMfa',
  'OrganizationInvitation',
  'UserPermissionValidation',
  'MagicLink',
  'BackchannelAuthentication',
  'AccountDeletion',
  'Generic',
] as const satisfies readonly Usage[]
const PAUSE_MS = 600

const templatesOf = ({ config }: Connector): readonly Template[] =>
  (config as { readonly templates?: readonly Template[] }).templates ?? []

interface ShownProps {
  readonly usage: Usage
  readonly language: string
  readonly content: string
}

/** What readers get. */
const Shown = ({ usage, language, content }: ShownProps) => {
  const rested = useRested(content, PAUSE_MS)
  const { data, error } = useAnswer('previewTextMessage', {
    query: { usageType: usage, languageTag: language, ...(rested.trim() === '' ? {} : { content: rested }) },
  })
  return (
    <Card title={t('messages.preview')} text={t('messages.previewText')}>
      {error ? (
        <ErrorState error={error} />
      ) : data === undefined ? (
        <Loading lines={2} />
      ) : (
        <>
          <pre
            dir="auto"
            className="wrap-anywhere max-w-sm whitespace-pre-wrap rounded-2xl rounded-es-sm bg-sunken px-4 py-3 font-sans"
          >
            {data.text}
          </pre>
          <p className="mt-3 text-soft text-xs">
            {t('messages.parts', { count: data.parts })} {data.isUnicode && t('messages.unicode')}
          </p>
          {data.unknownVariables.length > 0 && (
            <p className="mt-3 text-warn">{t('messages.unknown', { names: data.unknownVariables.join(', ') })}</p>
          )}
        </>
      )}
    </Card>
  )
}

interface EditorProps {
  readonly connector: Connector
  readonly usage: Usage
  readonly language: string
}

const Editor = ({ connector, usage, language }: EditorProps) => {
  const { id, config } = connector
  const stored = templatesOf(connector)
  const own = stored.find(({ usageType }) => usageType === usage)
  const { values, set, isChanged, reset } = useForm(`text-template.${usage}`, { content: own?.content ?? '' })
  const update = useChange('updateConnector')
  const { content } = values
  const isOwn = content.trim() !== ''
  const changeTo = (templates: readonly Template[]) => ({
    params: { id },
    body: { config: { ...config, templates } as Config },
  })
  const others = stored.filter((each) => each !== own)
  const error = errorAt(update.error, 'config.templates')
  const restore = () =>
    update.mutate(changeTo(others), {
      onSuccess: () => {
        reset()
        notify(t('messages.restored'), () => update.mutate(changeTo(stored)))
      },
    })
  return (
    <div className="grid grid-cols-1 items-start gap-x-6 lg:grid-cols-2">
      <Card
        title={t('messages.template')}
        actions={<Badge tone={own ? 'accent' : 'plain'}>{t(own ? 'messages.own' : 'messages.builtIn')}</Badge>}
      >
        <form
          noValidate
          className="space-y-4"
          onSubmit={(event) => {
            event.preventDefault()
            if (!isOwn) return restore()
            update.mutate(changeTo([...others, { usageType: usage, content }]), {
              onSuccess: () => {
                reset()
                notify(t('form.saved'))
              },
            })
          }}
        >
          <Field
            name="content"
            label={t('messages.content')}
            value={content}
            onChange={(next) => set('content', next)}
            hint={`${t('messages.oneText')} ${t('messages.contentHint')}`}
            error={error}
            rows={5}
          />
          {update.error && error === undefined && <ErrorState error={update.error} />}
          <div className="flex flex-wrap items-end gap-2">
            <SaveBar isChanged={isChanged} isBusy={update.isPending} onDiscard={reset} />
            {own && (
              <Button className="ms-auto" isBusy={update.isPending} onClick={restore}>
                {t('messages.restore')}
              </Button>
            )}
            <ShowApiCall
              calls={[
                {
                  id: 'previewTextMessage',
                  input: { query: { usageType: usage, languageTag: language, ...(isOwn ? { content } : {}) } },
                },
              ]}
            />
          </div>
        </form>
      </Card>
      <Shown usage={usage} language={language} content={content} />
    </div>
  )
}

export const TextTemplates = ({ usage: asked, language, go }: TemplatesProps) => {
  const usage = USAGES.find((each) => each === asked) ?? 'SignIn'
  const { data: connectors, error, refetch } = useAnswer('listConnectors', {})
  const id = connectors?.find(({ type }) => type === 'Sms')?.id
  // read by itself, so that a change of it stands on what was read
  const { data: connector } = useAnswer('getConnector', { params: { id: id ?? '' } }, id !== undefined)
  if (error) return <ErrorState error={error} retry={refetch} />
  if (connectors && id === undefined)
    return (
      <EmptyState icon={<MessageSquareText size={20} />} title={t('connectors.noSms')}>
        <Link to="/connectors/new" search={{ kind: 'Sms' }} className={buttonClass()}>
          {t('connectors.setUp')}
        </Link>
      </EmptyState>
    )
  if (!connector) return <Loading />
  const owned = new Set(templatesOf(connector).map(({ usageType }) => usageType))
  return (
    <>
      <div className="mb-4 flex flex-wrap gap-4">
        <SelectField
          label={t('messages.usage')}
          value={usage}
          choices={USAGES.map((each) => [each, `${t(`messages.usage.${each}`)}${owned.has(each) ? ' •' : ''}`])}
          onChange={(next) => go({ usage: next })}
        />
        <SelectField
          label={t('menu.language')}
          value={Object.hasOwn(LANGUAGES, language) ? language : 'en'}
          choices={Object.entries(LANGUAGES)}
          onChange={(next) => go({ language: next })}
        />
      </div>
      <Editor key={usage} connector={connector} usage={usage} language={language} />
    </>
  )
}
