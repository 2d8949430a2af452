/** `/user-imports`: the lines of a file, batch after batch. */
import { userImportRoutes } from '@countersign/contract/user-imports.ts'
import { UserLine } from '@countersign/contract/user-line.ts'
import {
  type ImportedUser,
  type ImportProgress,
  importProgress,
  importUsers,
  type RefusedLine,
} from '../domain/setup/user-import.ts'
import { importKeyOf, throughBatch, wasImported } from '../domain/setup/user-import-batches.ts'
import { bind } from '../http/api.ts'
import { ApiError } from '../kernel/api-error.ts'
import { ConfigurationError } from '../kernel/configuration.ts'
import { strictReader } from '../kernel/strict-schema.ts'
import { isRefused, readUserLine } from './user-line.ts'

const reader = strictReader(UserLine, { allowUnknown: false })
/** How many passwords are hashed at once: the others who sign in meanwhile get their turn. */
const READERS = 2

const toAnswer = ({ lines, created, refused, recent }: ImportProgress) => ({
  lines,
  created,
  refusedCount: refused,
  refused: recent.map(({ line, code, message, data }) => ({ line, code, message, ...(data ? { data } : {}) })),
})

const readLines = async (firstLine: number, lines: readonly string[]) => {
  const users: ImportedUser[] = []
  const refusals: RefusedLine[] = []
  const waiting = lines.entries()
  const work = async () => {
    for (const [at, line] of waiting) {
      const read = await readUserLine(firstLine + at, () => Buffer.from(line), reader)
      if (isRefused(read)) refusals.push(read)
      else users.push(read)
    }
  }
  await Promise.all(Array.from({ length: READERS }, work))
  return { users: users.sort((a, b) => a.line - b.line), refusals }
}

export const userImportHandlers = bind(userImportRoutes, {
  async importUsers({ body }, { store, tenant, caller, perform }) {
    const key = importKeyOf(tenant, caller)
    const before = await importProgress(store, key)
    if (wasImported(before, body) && before) return toAnswer(before.progress)
    const read = await readLines(body.firstLine, body.lines)
    try {
      const { progress } = await perform(importUsers, {
        key,
        before,
        isAgain: body.firstLine === 1,
        ...read,
        through: throughBatch(body),
        isLast: body.isLast ?? false,
        withEvents: body.withEvents ?? false,
      })
      return toAnswer(progress)
    } catch (error) {
      // the same caller has sent another batch at the same time
      if (error instanceof ConfigurationError) throw new ApiError('user_import.not_the_next_batch', { line: 1 })
      throw error
    }
  },
})
