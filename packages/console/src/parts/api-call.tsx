/** "Show API call": the request of the Management API that does the same as the screen. */
import { API_ROUTES } from '@countersign/contract/api.ts'
import { Terminal } from 'lucide-react'
import { useState } from 'react'
import type { Input, Operation } from '../api/client.ts'
import { t } from '../languages/languages.ts'
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
  const url = `${location.origin}/api${path}${search.size > 0 ? `?${search}` : ''}`
  return [
    `curl -X ${route.method} ${quoted(url)}`,
    '  -H "Authorization: Bearer $TOKEN"',
    ...(body === undefined
      ? []
      : ["  -H 'Content-Type: application/json'", `  -d ${quoted(JSON.stringify(body, null, 2))}`]),
  ].join(' \\\n')
}

/** The button, and the drawer that it opens. */
export const ShowApiCall = ({ calls }: { readonly calls: readonly ApiCall[] }) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button look="ghost" onClick={() => setOpen(true)}>
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
      </Dialog>
    </>
  )
}
