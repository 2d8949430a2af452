/** How to add the application to code: the snippet of a framework with real ids, and the facts that every library asks for. */
import { useState } from 'react'
import { t } from '../../languages/languages.ts'
import { CodeBlock } from '../../parts/code-block.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { Card } from '../../parts/page.tsx'
import { tenantOrigin } from '../../session/place.ts'
import type { Application } from './kinds.ts'
import { snippetsOf } from './snippets.ts'

export const QuickStart = ({ application }: { readonly application: Application }) => {
  const snippets = snippetsOf(application)
  const [chosen, choose] = useState<string>()
  const snippet = snippets.find(({ id }) => id === chosen) ?? snippets[0]
  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
      {snippet && (
        <Card title={t('start.code')} text={t('start.codeText')}>
          <fieldset className="mb-3 flex flex-wrap gap-1.5">
            <legend className="sr-only">{t('start.framework')}</legend>
            {snippets.map(({ id, title }) => (
              <button
                key={id}
                type="button"
                aria-pressed={snippet.id === id}
                onClick={() => choose(id)}
                className="h-8 rounded-lg border border-line px-3 font-medium text-soft hover:text-ink aria-pressed:border-accent aria-pressed:bg-accent-tint aria-pressed:text-accent"
              >
                {title}
              </button>
            ))}
          </fieldset>
          <div className="space-y-3">
            {snippet.install && <CodeBlock title={t('start.install')} code={snippet.install} />}
            <CodeBlock title={snippet.file} code={snippet.code} />
          </div>
        </Card>
      )}
      <Card title={t('start.facts')}>
        <div className="space-y-3">
          <CopyField label={t('start.clientId')} value={application.id} />
          <CopyField label={t('start.issuer')} value={`${tenantOrigin()}/oidc`} />
          <CopyField label={t('start.discovery')} value={`${tenantOrigin()}/oidc/.well-known/openid-configuration`} />
          {application.customClientMetadata.isDeviceFlow && (
            <CopyField label={t('start.verification')} value={`${tenantOrigin()}/device`} />
          )}
        </div>
      </Card>
    </div>
  )
}
