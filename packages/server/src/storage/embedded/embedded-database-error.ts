/** The embedded database cannot be used. The message is one sentence or two for the operator: what, where, and what to do. */
export class EmbeddedDatabaseError extends Error {
  override readonly name = 'EmbeddedDatabaseError'
}

const reasons: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  ENOTDIR: 'a part of the path is not a directory',
  EEXIST: 'a part of the path is not a directory',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space left on the device',
  EDQUOT: 'the disk quota is used up',
  ENAMETOOLONG: 'the path is too long',
  ELOOP: 'too many symbolic links',
  EBUSY: 'the path is a mount point or in use',
  ENOENT: 'no such file or directory',
}

/** Says in a few words, without a full stop, why a call to the operating system failed; the error's own text if unknown. */
export function reasonOf(error: unknown): string {
  const code = errorCode(error)
  return (code && reasons[code]) ?? (error instanceof Error ? error.message : String(error))
}

/** The `code` of a Node or PostgreSQL error (ENOENT, 57P03, …), or undefined. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
