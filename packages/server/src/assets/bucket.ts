/**
 * Files in a bucket of S3 or of a compatible service. The SDK is loaded with the first request (docs/decisions/0016).
 */
import type { S3Client } from '@aws-sdk/client-s3'
import type { AssetFiles } from '../kernel/assets.ts'
import { lazyLibrary } from '../kernel/lazy-library.ts'

const library = lazyLibrary<typeof import('@aws-sdk/client-s3')>('@aws-sdk/client-s3')

/** Milliseconds. A user waits for it; the SDK attempts each request three times. */
const [CONNECT_MS, REQUEST_MS] = [3000, 10_000]

interface Bucket {
  readonly name: string
  readonly region: string
  readonly endpoint: string | undefined
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'NoSuchKey' || error.name === 'NotFound')

/** undefined where there is no such object. */
const ifThere = async <T>(ask: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await ask()
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/**
 * Sends nothing. The SDK finds the credentials, as AWS documents it.
 * @param requestMs how long an attempt waits for a response, and for each part of it
 */
export const bucketFiles = ({ name, region, endpoint }: Bucket, requestMs = REQUEST_MS): AssetFiles => {
  let made: S3Client | undefined
  const client = (): S3Client => {
    made ??= new (library().S3Client)({
      region,
      // services other than AWS have no host name per bucket
      ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
      // checksums in trailers, which the SDK sends by default, are not supported by many compatible services
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: CONNECT_MS,
        // without throwOnRequestTimeout the SDK only warns, and waits on
        ...{ requestTimeout: requestMs, throwOnRequestTimeout: true, socketTimeout: requestMs },
      },
    })
    return made
  }
  const at = (path: string) => ({ Bucket: name, Key: path })

  const put = async (path: string, bytes: Buffer, mediaType: string): Promise<void> => {
    const { PutObjectCommand } = library()
    await client().send(new PutObjectCommand({ ...at(path), Body: bytes, ContentType: mediaType }))
  }
  const remove = async (path: string): Promise<void> => {
    const { DeleteObjectCommand } = library()
    await client().send(new DeleteObjectCommand(at(path)))
  }

  return {
    put,
    remove,
    // read to its end at once: a slow client would hold one of the few connections to the bucket
    get: (path) =>
      ifThere(async () => {
        const { GetObjectCommand } = library()
        const { Body: body } = await client().send(new GetObjectCommand(at(path)))
        if (!body) return undefined
        const content = Buffer.from(await body.transformToByteArray())
        return { bytes: content.length, content }
      }),
    async has(path) {
      const found = await ifThere(() => client().send(new (library().HeadObjectCommand)(at(path))))
      return found !== undefined
    },
    async check() {
      const probe = `.check-${process.pid}`
      await put(probe, Buffer.from('countersign'), 'text/plain')
      await remove(probe)
      return endpoint ? `bucket ${name} at ${endpoint}` : `bucket ${name} in ${region}`
    },
  }
}
