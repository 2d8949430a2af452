/** Sends the users of a file in batches, one after the other; a batch whose answer was lost is sent again, and imported once. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { callOnce } from '../../../api/client.ts'
import { doubtConnection } from '../../../api/connection.ts'
import { isOffline, OutcomeUnknown } from '../../../api/failure.ts'
import { errorPhrases, errorText } from '../../../languages/errors.ts'
import { type Source, type SourceLine, usersIn } from './source.ts'

export interface Refusal extends SourceLine {
  readonly message: string
  readonly code: string
}

export interface ImportState {
  readonly phase: 'running' | 'stopped' | 'finished' | 'failed'
  /** Of the file: how much was read, from 0 to 1. */
  readonly share: number
  readonly lines: number
  readonly created: number
  readonly refused: readonly Refusal[]
  /** Why it failed. */
  readonly error?: unknown
}

const AT_ONCE = 100
/** A batch is not larger than the server takes. */
const MOST_LETTERS = 250_000

async function* batchesOf(lines: AsyncIterable<SourceLine>): AsyncGenerator<SourceLine[]> {
  let [batch, letters] = [[] as SourceLine[], 0]
  for await (const line of lines) {
    if (batch.length === AT_ONCE || (batch.length > 0 && letters + line.json.length > MOST_LETTERS)) {
      yield batch
      ;[batch, letters] = [[], 0]
    }
    batch.push(line)
    letters += line.json.length
  }
  if (batch.length > 0) yield batch
}

type Body = Parameters<typeof callOnce<'importUsers'>>[1]['body']

const send = async (body: Body) => {
  for (;;) {
    try {
      return await callOnce('importUsers', { body })
    } catch (error) {
      if (!(isOffline(error) || error instanceof OutcomeUnknown)) throw error
      await doubtConnection()
    }
  }
}

const NOTHING: ImportState = { phase: 'running', share: 0, lines: 0, created: 0, refused: [] }

export const useImport = () => {
  const queries = useQueryClient()
  const [state, setState] = useState<ImportState>()
  const isStopped = useRef(false)
  useEffect(
    () => () => {
      isStopped.current = true
    },
    [],
  )
  const run = async (source: Source, members: readonly string[], withEvents: boolean): Promise<void> => {
    isStopped.current = false
    let now = NOTHING
    setState(now)
    let read = 0
    const importId = crypto.randomUUID()
    const lines = usersIn(source, members, (bytes) => {
      read += bytes
    })
    try {
      for await (const batch of batchesOf(lines)) {
        if (isStopped.current) break
        const firstLine = now.lines + 1
        const answer = await send({ importId, firstLine, lines: batch.map(({ json }) => json), withEvents })
        if (answer.refused.length > 0) await errorPhrases()
        const refused = answer.refused.flatMap(({ line, message, code, data }) => {
          const sent = batch[line - firstLine]
          return sent ? [{ ...sent, message: errorText(code, { reason: message, ...data }) ?? message, code }] : []
        })
        now = {
          ...now,
          share: source.file.size === 0 ? 1 : read / source.file.size,
          lines: answer.lines,
          created: answer.created,
          refused: [...now.refused, ...refused],
        }
        setState(now)
      }
      setState({ ...now, phase: isStopped.current ? 'stopped' : 'finished' })
    } catch (error) {
      setState({ ...now, phase: 'failed', error })
    }
    await queries.invalidateQueries()
  }
  return {
    state,
    run,
    /** After the batch that is on its way. */
    stop: () => {
      isStopped.current = true
    },
    reset: () => setState(undefined),
  }
}
