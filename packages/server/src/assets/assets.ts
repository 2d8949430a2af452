/** Uploads as configured: to a bucket, a directory, or not at all. */
import { join } from 'node:path'
import type { AssetFiles, Assets } from '../kernel/assets.ts'
import { ConfigurationError, type OptionValues } from '../kernel/configuration.ts'
import { bucketFiles } from './bucket.ts'
import { directoryFiles } from './directory.ts'
import { createImageEncoder } from './images.ts'
import type { assetOptions } from './options.ts'

type AssetConfiguration = OptionValues<typeof assetOptions> & {
  readonly databaseUrl: string | undefined
  readonly dataDir: string
}

/** undefined: uploads are not configured. Throws ConfigurationError if both are set. Opens nothing. */
const filesOf = (configuration: AssetConfiguration): AssetFiles | undefined => {
  const { assetsDirectory, assetsS3Bucket, assetsS3Region, assetsS3Endpoint, databaseUrl, dataDir } = configuration
  if (assetsS3Bucket && assetsDirectory)
    throw new ConfigurationError('ASSETS_DIRECTORY and ASSETS_S3_BUCKET are both set: set only one of them.')
  if (assetsS3Bucket) return bucketFiles({ name: assetsS3Bucket, region: assetsS3Region, endpoint: assetsS3Endpoint })
  if (assetsDirectory) return directoryFiles(assetsDirectory)
  return databaseUrl ? undefined : directoryFiles(join(dataDir, 'assets'))
}

/** Opens and loads nothing before the first upload. Throws ConfigurationError. */
export const createAssets = (configuration: AssetConfiguration): Assets => ({
  files: filesOf(configuration),
  encode: createImageEncoder(),
})
