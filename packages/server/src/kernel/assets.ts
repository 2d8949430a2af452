/** Uploaded images, as those who take and serve them see it; where the files are and how images are read is not known here. */

/** What an image is for: an avatar is cut to a small square, any other picture keeps its shape. */
export type ImagePurpose = 'avatar' | 'picture'

export interface EncodedImage {
  readonly bytes: Buffer
  readonly extension: 'webp' | 'png' | 'jpg'
}

/** The media types of the files that there are, by the end of their names. */
export const ASSET_TYPES: Readonly<Record<EncodedImage['extension'], string>> = {
  webp: 'image/webp',
  png: 'image/png',
  jpg: 'image/jpeg',
}

/** Files by paths that the server has made: a tenant's id, a slash, a name. */
export interface AssetFiles {
  /** Stores a file that is there whole or not at all, even if the process dies meanwhile. */
  put(path: string, bytes: Buffer, mediaType: string): Promise<void>
  /** undefined if there is none. */
  get(path: string): Promise<Buffer | undefined>
  /** Also if there is none. */
  remove(path: string): Promise<void>
  /** Where they are, for operators; throws what is wrong with the place. Leaves nothing behind. */
  check(): Promise<string>
}

export interface Assets {
  /** undefined: no place for them is configured. */
  readonly files: AssetFiles | undefined
  /**
   * Decodes an image of any origin and encodes it anew, without metadata.
   * Throws ApiError 400 `guard.…` for what is no image that is taken, 503 when too many are waiting.
   */
  encode(file: Buffer, purpose: ImagePurpose): Promise<EncodedImage>
}

/** Of a process that takes no uploads. */
export const NO_ASSETS: Assets = {
  files: undefined,
  encode: () => Promise.reject(new Error('this process takes no uploads')),
}
