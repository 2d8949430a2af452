/** "Show API call": the requests of the Management API, and the lines of a tenant file, that do the same as the screen. */
import { API_ROUTES } from '@countersign/contract/api.ts'
import { Terminal } from 'lucide-react'
import { useEffect, useState } from 'react'
import { type Input, may, type Operation, useAnswer } from '../api/client.ts'
import { t } from '../languages/languages.ts'
import { tenantOrigin } from '../session/place.ts'
import { applyLinesOf, isDeclared } from './apply-lines.ts'
import { Button } from './button.tsx'
import { CodeBlock } from './code-block.tsx'
import { Dialog } from './dialog.tsx'

/** An operation with what it is called with. */
export interface ApiCall<Id extends Operation = Operation> {
  readonly id: Id
  readonly input?: Input<Id>
}

interface Loose {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

/** A text between single quotes of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const curlOf = ({ id, input }: ApiCall): string => {
  const route = API_ROUTES.find((each) => each.id === id)
  if (!route) return ''
  const { params = {}, query = {}, body } = (input ?? {}) as Loose
  const path = route.path.replace(/:(\w+)/g, (_place, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )
  const url = `${tenantOrigin()}/api${path}${search.size > 0 ? `?${search}` : ''}`
  return [
    `curl -X ${route.method} ${quoted(url)}`,
    '  -H "Authorization: Bearer $TOKEN"',
    ...(body === undefined
      ? []
      : ["  -H 'Content-Type: application/json'", `  -d ${quoted(JSON.stringify(body, null, 2))}`]),
  ].join(' \\\n')
}

/** The lines of a tenant file for what a call shows. */
const ApplyLines = ({ id, input }: ApiCall) => {
  const { data: answer } = useAnswer(id, input ?? ({} as Input<typeof id>))
  const [lines, setLines] = useState('')
  useEffect(() => {
    let isWanted = answer !== undefined
    void (async () => {
      const next = isWanted ? await applyLinesOf(id, answer) : ''
      if (isWanted) setLines(next)
    })()
    return () => {
      isWanted = false
    }
  }, [id, answer])
  return lines === '' ? null : <CodeBlock title="tenant.yaml" code={lines} />
}

/** The button, and the drawer that it opens. */
export const ShowApiCall = ({ calls }: { readonly calls: readonly ApiCall[] }) => {
  const [isOpen, setOpen] = useState(false)
  const declared = isOpen ? calls.filter(({ id }) => isDeclared(id) && may(id)) : []
  return (
    <>
      <Button look="ghost" className="max-md:first:-ms-3" onClick={() => setOpen(true)}>
        <Terminal size={15} aria-hidden />
        {t('api.show')}
      </Button>
      <Dialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={t('api.title')}
        description={t('api.text')}
        shape="drawer"
      >
        <div className="space-y-4">
          {calls.map((call) => (
            <CodeBlock key={call.id} title={call.id} code={curlOf(call)} />
          ))}
        </div>
        {declared.length > 0 && (
          <section className="mt-6 space-y-4">
            <div>
              <h3 className="font-semibold">{t('api.file')}</h3>
              <p className="mt-0.5 text-soft">{t('api.fileText')}</p>
            </div>
            {declared.map((call) => (
              <ApplyLines key={call.id} {...call} />
            ))}
            <CodeBlock title={t('api.shell')} code="npx countersign apply -f tenant.yaml" />
          </section>
        )}
      </Dialog>
    </>
  )
}
