/** Why a file that the operator named could not be opened, read or written, in one sentence. */
import { ConfigurationError } from '../kernel/configuration.ts'

const REASONS: Readonly<Record<string, string>> = {
  EISDIR: 'it is a directory',
  ENOENT: 'there is no such file or directory',
  ENOTDIR: 'a part of its path is not a directory',
  EEXIST: 'it already exists, and nothing is overwritten',
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  ELOOP: 'its path contains too many symbolic links',
  ENAMETOOLONG: 'its name is too long',
}

/** @param error the error from the file system */
export const fileError = (file: string, verb: 'read' | 'written', error: unknown): ConfigurationError => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const reason = REASONS[code] ?? (error instanceof Error ? error.message : String(error))
  return new ConfigurationError(`${file} cannot be ${verb}: ${reason}.`, { cause: error })
}
