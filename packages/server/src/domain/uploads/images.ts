/**
 * Uploaded images (DECISIONS L25): the row first, then the file, then its use. A process that dies in between leaves a row, through
 * which the file is deleted later (unused.ts).
 */
import { LARGEST_UPLOAD, UPLOAD_MEDIA_TYPES } from '@countersign/contract/user-assets.ts'
import { sql } from 'kysely'
import { ApiError } from '../../kernel/api-error.ts'
import { ASSET_TYPES, type AssetFiles, type EncodedImage, type ImagePurpose } from '../../kernel/assets.ts'
import { newId } from '../../kernel/ids.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import { operation, perform, type Work } from '../../storage/unit-of-work.ts'

/** After this time an unused upload will never be used: interactions live for an hour. */
const FIRST_CHECK_MS = 2 * 3_600_000

/** Bytes that avatars without a user may take in a tenant: anyone can upload them. */
const MOST_UNUSED = 1024 ** 3

/** What can be uploaded, for clients. */
export const uploadService = ({ assets }: Store) => {
  if (!assets.files) return { status: 'not_configured' as const }
  return {
    status: 'ready' as const,
    allowUploadMimeTypes: [...UPLOAD_MEDIA_TYPES],
    maxUploadFileSize: LARGEST_UPLOAD,
    isExperienceAvatarUploadEnabled: true,
  }
}

/** Where uploads are kept. Throws 400 `storage.not_configured`. */
const filesOf = ({ assets: { files } }: Store): AssetFiles => {
  if (!files) throw new ApiError('storage.not_configured')
  return files
}

/** Throws 503 when unused avatars use all their space, until the oldest of them are deleted. */
const assertRoom = async ({ store, tenant }: Work): Promise<void> => {
  const row = await store.database.kysely
    .selectFrom('assets')
    .select(({ fn }) => fn.coalesce(fn.sum<string>('bytes'), sql<string>`0`).as('bytes'))
    .where(inTenant(tenant.id))
    .where('check_at', 'is not', null)
    .where('is_used', '=', false)
    .executeTakeFirstOrThrow()
  if (Number(row.bytes) >= MOST_UNUSED)
    throw new ApiError('request.unavailable', { reason: 'too many avatars were uploaded; try again later' })
}

/** Stores an image under an unguessable name; returns the name. Throws 500 `storage.upload_error`. */
const keep = async ({ store, tenant }: Work, files: AssetFiles, { bytes, extension }: EncodedImage) => {
  const name = `${newId()}.${extension}`
  const now = store.clock.now()
  const check_at = new Date(now.getTime() + FIRST_CHECK_MS)
  const row = { tenant_id: tenant.id, name, bytes: bytes.length, check_at, created_at: now }
  await store.database.kysely.insertInto('assets').values(row).execute()
  try {
    await files.put(`${tenant.id}/${name}`, bytes, ASSET_TYPES[extension])
  } catch (error) {
    store.log.error({ err: error, tenantId: tenant.id }, 'an uploaded image could not be stored')
    throw new ApiError('storage.upload_error', undefined, { cause: error })
  }
  return name
}

/**
 * Stores an uploaded image; returns its address. It is deleted after two hours unless a user has it as avatar by then.
 * Throws ApiError: 400 `storage.not_configured`, 400 `guard.…` for a file that is not an image, 503, 500
 * `storage.upload_error`.
 */
const storeImage = async (work: Work, file: Uint8Array, purpose: ImagePurpose) => {
  const files = filesOf(work.store)
  const name = await keep(work, files, await work.store.assets.encode(Buffer.from(file), purpose))
  return { name, url: `${work.tenant.baseUrl}/assets/${work.tenant.id}/${name}` }
}

/**
 * Stores an avatar, which stays as long as a user has it; returns its address. Throws as storeImage does, and 503
 * without space.
 */
export const storeAvatar = async (work: Work, file: Uint8Array): Promise<string> => {
  filesOf(work.store)
  await assertRoom(work)
  return (await storeImage(work, file, 'avatar')).url
}

const kept = operation([], async ({ tx, tenant, concerns }, name: string): Promise<void> => {
  const { numUpdatedRows } = await tx
    .updateTable('assets')
    .set({ check_at: null })
    .where(inTenant(tenant.id))
    .where('name', '=', name)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new ApiError('storage.upload_error')
  concerns('asset', name)
})

/**
 * Stores a picture of an operator, which stays as long as the tenant; returns its address. Throws as storeImage does.
 */
export const storePicture = async (work: Work, file: Uint8Array): Promise<string> => {
  const { name, url } = await storeImage(work, file, 'picture')
  await perform(work, kept, name)
  return url
}
