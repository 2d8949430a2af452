/** The credentials of applications that a file has created: shown once, here. */
import type { Answer } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { CodeBlock } from '../../parts/code-block.tsx'

export const NewCredentials = ({ applications }: { readonly applications: Answer<'applyTenant'>['applications'] }) =>
  applications.length === 0 ? null : (
    <div className="mt-5">
      <CodeBlock title={t('tenantFile.credentials')} code={JSON.stringify(applications, null, 2)} />
    </div>
  )
