/** Uploaded images, as seen by the code that accepts and serves them, independent of storage and decoder. */
import type { Readable } from 'node:stream'

/** The purpose of an image: an avatar is cropped to a small square, any other picture keeps its proportions. */
export type ImagePurpose = 'avatar' | 'picture'

export interface EncodedImage {
  readonly bytes: Buffer
  readonly extension: 'webp' | 'png' | 'jpg'
}

/** The media types of stored files, by extension. */
export const ASSET_TYPES: Readonly<Record<EncodedImage['extension'], string>> = {
  webp: 'image/webp',
  png: 'image/png',
  jpg: 'image/jpeg',
}

/** A file that is served. A stream is to be read to its end or destroyed: the file is open until then. */
export interface StoredFile {
  /** How many. */
  readonly bytes: number
  readonly content: Buffer | Readable
}

/** Files by paths that the server creates: a tenant's id, a slash, a name. */
export interface AssetFiles {
  /** Stores a file completely or not at all, even if the process dies meanwhile. */
  put(path: string, bytes: Buffer, mediaType: string): Promise<void>
  /** undefined if there is none. */
  get(path: string): Promise<StoredFile | undefined>
  /** Whether there is one; reads nothing of it. */
  has(path: string): Promise<boolean>
  /** Also if there is none. */
  remove(path: string): Promise<void>
  /** The location, for operators; throws if it does not work. Leaves nothing behind. */
  check(): Promise<string>
}

export interface Assets {
  /** undefined: no storage is configured. */
  readonly files: AssetFiles | undefined
  /**
   * Decodes an untrusted image and re-encodes it, without metadata. Throws ApiError
   * 400 `guard.…` for a file that is not an accepted image, 503 when too many are waiting.
   */
  encode(file: Buffer, purpose: ImagePurpose): Promise<EncodedImage>
}

/** For a process that accepts no uploads. */
export const NO_ASSETS: Assets = {
  files: undefined,
  encode: () => Promise.reject(new Error('this process accepts no uploads')),
}
