/** A style sheet for the pages, in an editor: the preview beside it shows what it does. */
import { lazy, Suspense } from 'react'
import { may } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Card } from '../../parts/page.tsx'
import { Loading } from '../../parts/states.tsx'
import type { Section } from './section.ts'

/** The editor is as large as the rest of the screen. */
const CodeEditor = lazy(async () => ({ default: (await import('../../parts/code-editor.tsx')).CodeEditor }))

export const StyleCard = ({ values, set, errorOf }: Section) => {
  const error = errorOf('customCss')
  return (
    <Card title={t('signIn.customCss')} text={t('signIn.customCssText')}>
      <Suspense fallback={<Loading />}>
        <CodeEditor
          label={t('signIn.customCss')}
          value={values.customCss ?? ''}
          onChange={(css) => set('customCss', css)}
          language="css"
          isReadOnly={!may('updateSignInExperience')}
        />
      </Suspense>
      {error !== undefined && (
        <p role="alert" className="mt-1 text-bad text-xs">
          {error}
        </p>
      )}
    </Card>
  )
}
