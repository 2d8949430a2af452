/** Mail in the operator's own words, by what it is for and by language, beside a preview of what is typed. */
import { type Answer, type Input, may, useAnswer, useChange } from '../../api/client.ts'
import { LANGUAGES, t } from '../../languages/languages.ts'
import { ShowApiCall } from '../../parts/api-call.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import { errorAt, useForm } from '../../parts/form.ts'
import { Card } from '../../parts/page.tsx'
import { useRested } from '../../parts/rested.ts'
import { SaveBar } from '../../parts/save-bar.tsx'
import { SelectField } from '../../parts/select.tsx'
import { ErrorState, Loading } from '../../parts/states.tsx'
import { notify } from '../../parts/toast.tsx'
import { MailFrame } from './mail-frame.tsx'

type Preview = NonNullable<Input<'previewEmailTemplate'>>['body']
type Usage = Preview['templateType']
type Details = NonNullable<Preview['details']>
type Template = Answer<'listEmailTemplates'>[number]

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
  'AccountChanged',
  'NewSignIn',
  'Generic',
] as const satisfies readonly Usage[]
/** The built-in text keeps them, to be a template itself. */
const PLACEHOLDERS = Object.fromEntries(
  ['code', 'link', 'minutes', 'duration', 'organizationName', 'change', 'details', 'host', 'baseUrl'].map((name) => [
    name,
    `{{${name}}}`,
  ]),
)
const PAUSE_MS = 600
const CONTENT_TYPES = ['text/html', 'text/plain'] as const

const valuesOf = ({ subject, content, contentType = 'text/html', replyTo = '', sendFrom = '' }: Details) => ({
  ...{ subject, content, contentType, replyTo, sendFrom },
})
const detailsOf = ({ subject, content, contentType, replyTo, sendFrom }: ReturnType<typeof valuesOf>): Details => ({
  ...{ subject, content, contentType },
  ...(replyTo.trim() ? { replyTo: replyTo.trim() } : {}),
  ...(sendFrom.trim() ? { sendFrom: sendFrom.trim() } : {}),
})

/** What readers get; what is typed, while it says something. */
const Shown = ({
  usage,
  language,
  details,
}: {
  readonly usage: Usage
  readonly language: string
  readonly details: Details | undefined
}) => {
  const rested = useRested(JSON.stringify(details ?? {}), PAUSE_MS)
  const { data, error } = useAnswer('previewEmailTemplate', {
    body: {
      templateType: usage,
      languageTag: language,
      ...(rested === '{}' ? {} : { details: JSON.parse(rested) as Details }),
    },
  })
  return (
    <Card title={t('messages.preview')} text={t('messages.previewText')}>
      {error ? (
        <ErrorState error={error} />
      ) : data === undefined ? (
        <Loading />
      ) : (
        <>
          <p className="wrap-anywhere mb-3 font-semibold">{data.subject}</p>
          {data.html ? (
            <MailFrame html={data.html} />
          ) : (
            <pre className="wrap-anywhere whitespace-pre-wrap rounded-xl bg-sunken p-4 font-sans">{data.text}</pre>
          )}
          {data.unknownVariables.length > 0 && (
            <p className="mt-3 text-warn">{t('messages.unknown', { names: data.unknownVariables.join(', ') })}</p>
          )}
        </>
      )}
    </Card>
  )
}

interface EditorProps {
  readonly usage: Usage
  readonly language: string
  readonly template: Template | undefined
  /** What is sent without a template. */
  readonly given: Details
}

const Editor = ({ usage, language, template, given }: EditorProps) => {
  const stored = valuesOf(template?.details ?? given)
  const { values, set, isChanged, reset } = useForm(`template.${usage}.${language}`, stored)
  const replace = useChange('replaceEmailTemplates')
  const remove = useChange('deleteEmailTemplate')
  const details = detailsOf(values)
  const isComplete = details.subject.trim() !== '' && details.content.trim() !== ''
  const body = { templates: [{ languageTag: language, templateType: usage, details }] }
  const failed = ['subject', 'content', 'replyTo', 'sendFrom'].some((name) =>
    errorAt(replace.error, `templates.0.details.${name}`),
  )
  return (
    <div className="grid grid-cols-1 items-start gap-x-6 lg:grid-cols-2">
      <Card
        title={t('messages.template')}
        actions={
          <Badge tone={template ? 'accent' : 'plain'}>{t(template ? 'messages.own' : 'messages.builtIn')}</Badge>
        }
      >
        <form
          noValidate
          className="space-y-4"
          onSubmit={(event) => {
            event.preventDefault()
            replace.mutate(
              { body },
              {
                onSuccess: () => {
                  reset()
                  notify(t('form.saved'))
                },
              },
            )
          }}
        >
          <Field
            name="subject"
            label={t('messages.subject')}
            value={values.subject}
            onChange={(next) => set('subject', next)}
            error={errorAt(replace.error, 'templates.0.details.subject')}
          />
          <SelectField
            label={t('messages.contentType')}
            value={values.contentType}
            choices={CONTENT_TYPES.map((each) => [each, t(`messages.${each}`)])}
            onChange={(next) => set('contentType', next === 'text/plain' ? 'text/plain' : 'text/html')}
          />
          <Field
            name="content"
            label={t('messages.content')}
            value={values.content}
            onChange={(next) => set('content', next)}
            hint={t('messages.contentHint')}
            error={errorAt(replace.error, 'templates.0.details.content')}
            rows={14}
            isMonospace
          />
          <div className="grid gap-4 sm:grid-cols-2">
            {(['sendFrom', 'replyTo'] as const).map((name) => (
              <Field
                key={name}
                name={name}
                label={t(`messages.${name}`)}
                value={values[name]}
                onChange={(next) => set(name, next)}
                error={errorAt(replace.error, `templates.0.details.${name}`)}
              />
            ))}
          </div>
          {replace.error && !failed && <ErrorState error={replace.error} />}
          <div className="flex flex-wrap items-end gap-2">
            {may('replaceEmailTemplates') && (
              <SaveBar isChanged={isChanged && isComplete} isBusy={replace.isPending} onDiscard={reset} />
            )}
            {template && may('deleteEmailTemplate') && (
              <Button
                className="ms-auto"
                isBusy={remove.isPending}
                onClick={() =>
                  remove.mutate(
                    { params: { id: template.id } },
                    {
                      onSuccess: () => {
                        reset()
                        notify(t('messages.restored'), () =>
                          replace.mutate({
                            body: {
                              templates: [{ languageTag: language, templateType: usage, details: template.details }],
                            },
                          }),
                        )
                      },
                    },
                  )
                }
              >
                {t('messages.restore')}
              </Button>
            )}
            <ShowApiCall calls={[{ id: 'replaceEmailTemplates', input: { body } }]} />
          </div>
        </form>
      </Card>
      <Shown usage={usage} language={language} details={isChanged && isComplete ? details : undefined} />
    </div>
  )
}

export interface TemplatesProps {
  readonly usage: string | undefined
  readonly language: string
  readonly go: (search: { readonly usage?: string; readonly language?: string }) => void
}

export const MailTemplates = ({ usage: asked, language, go }: TemplatesProps) => {
  const usage = USAGES.find((each) => each === asked) ?? 'SignIn'
  const { data: templates, error, refetch } = useAnswer('listEmailTemplates', {})
  const { data: given, error: givenError } = useAnswer('previewEmailTemplate', {
    body: { templateType: usage, languageTag: language, variables: PLACEHOLDERS },
  })
  const template = templates?.find(
    ({ templateType, languageTag }) => templateType === usage && languageTag.toLowerCase() === language.toLowerCase(),
  )
  const others = [...new Set((templates ?? []).map(({ languageTag }) => languageTag))].filter(
    (tag) => !Object.hasOwn(LANGUAGES, tag),
  )
  const failure = error ?? givenError
  return (
    <>
      <div className="mb-4 flex flex-wrap gap-4">
        <SelectField
          label={t('messages.usage')}
          value={usage}
          choices={USAGES.map((each) => {
            const isOwn = templates?.some(({ templateType }) => templateType === each)
            return [each, `${t(`messages.usage.${each}`)}${isOwn ? ' •' : ''}`] as const
          })}
          onChange={(next) => go({ usage: next })}
        />
        <SelectField
          label={t('menu.language')}
          value={language}
          choices={[...Object.entries(LANGUAGES), ...others.map((tag) => [tag, tag] as const)]}
          onChange={(next) => go({ language: next })}
        />
      </div>
      {failure ? (
        <ErrorState error={failure} retry={refetch} />
      ) : templates && given ? (
        <Editor
          key={`${usage} ${language}`}
          usage={usage}
          language={language}
          template={template}
          given={{
            subject: given.subject,
            content: given.html ?? given.text ?? '',
            contentType: given.html ? 'text/html' : 'text/plain',
          }}
        />
      ) : (
        <Loading />
      )}
    </>
  )
}
