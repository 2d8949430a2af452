/** Options of uploads: where the files are. Their use and deletion are in domain/uploads. */
import { resolve } from 'node:path'
import { option, text } from '../kernel/configuration.ts'

export const assetOptions = {
  assetsDirectory: option({
    env: 'ASSETS_DIRECTORY',
    default: undefined,
    description:
      'The directory for uploaded images. Without it DATA_DIR/assets, if the embedded database is used. With DATABASE_URL there is no default: all servers and workers of the installation must see the same directory, or use ASSETS_S3_BUCKET.',
    parse: (value) => resolve(text(value)),
  }),
  assetsS3Bucket: option({
    env: 'ASSETS_S3_BUCKET',
    default: undefined,
    description:
      'A bucket for uploaded images, instead of a directory. It can be private: the server serves the images. Credentials are found as AWS documents for its SDKs: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a profile, or the role of the machine.',
    parse: (value) => {
      if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(value)) throw new Error('must be the name of a bucket')
      return value
    },
  }),
  assetsS3Region: option({
    env: 'ASSETS_S3_REGION',
    default: 'us-east-1',
    description: 'The region of the bucket.',
    parse: text,
  }),
  assetsS3Endpoint: option({
    env: 'ASSETS_S3_ENDPOINT',
    default: undefined,
    description:
      'The address of an S3-compatible service that is not AWS, such as https://minio.example:9000. The bucket is then part of the path.',
    parse: (value) => {
      if (!/^https?:\/\//.test(value) || !URL.canParse(value)) throw new Error('must be an http or https URL')
      return value
    },
  }),
}
