/** "Try it": the button that leads to a real sign-in, wherever one is of use. */
import { FlaskConical } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { may } from '../../api/client.ts'
import { t, withPhrases } from '../../languages/languages.ts'
import { Button } from '../../parts/button.tsx'

const TryItDialog = lazy(async () => ({
  default: (await withPhrases(import('./try-it-dialog.tsx'))).TryItDialog,
}))

/** The button, and the dialog that it opens. */
export const TryIt = () => {
  const [isOpen, setOpen] = useState(false)
  if (!may('listApplications', 'updateApplication')) return null
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <FlaskConical size={15} aria-hidden />
        {t('try.it')}
      </Button>
      {isOpen && (
        <Suspense>
          <TryItDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
