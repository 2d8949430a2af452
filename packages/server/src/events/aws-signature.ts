/** AWS Signature Version 4, for requests without a query: https://docs.aws.amazon.com/IAM/latest/UserGuide/create-signed-request.html */
import { createHash, createHmac } from 'node:crypto'

export interface AwsKey {
  readonly accessKeyId: string
  readonly accessKeySecret: string
  readonly region: string
}

export interface UnsignedRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

const ALGORITHM = 'AWS4-HMAC-SHA256'

const hash = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')
const mac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text, 'utf8').digest()

/**
 * The headers that sign a request: `x-amz-date` and `authorization`. Signed are the method, the path, the host, these headers
 * and the body.
 * @param service as the provider calls it, such as `sns`
 */
export const signedHeaders = (
  { method, url, headers, body = '' }: UnsignedRequest,
  service: string,
  { accessKeyId, accessKeySecret, region }: AwsKey,
  now: Date,
): Record<string, string> => {
  const { host, pathname } = new URL(url)
  const time = now.toISOString().replace(/[-:]|\.\d{3}/g, '')
  const day = time.slice(0, 8)
  const signed = Object.entries({ ...headers, host, 'x-amz-date': time }).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const names = signed.map(([name]) => name).join(';')
  const lines = signed.map(([name, value]) => `${name}:${value.trim().replace(/ +/g, ' ')}\n`).join('')
  const canonical = [method, pathname, '', lines, names, hash(body)].join('\n')
  const scope = `${day}/${region}/${service}/aws4_request`
  const key = [region, service, 'aws4_request'].reduce<Buffer>(mac, mac(`AWS4${accessKeySecret}`, day))
  const signature = mac(key, [ALGORITHM, time, scope, hash(canonical)].join('\n')).toString('hex')
  return {
    'x-amz-date': time,
    authorization: `${ALGORITHM} Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  }
}
