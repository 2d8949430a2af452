/** Decodes and re-encodes images, each in a separate process (image-program.ts, docs/decisions/0026). */
import { spawn } from 'node:child_process'
import { buffer, text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { UPLOAD_MEDIA_TYPES } from '@countersign/contract/user-assets.ts'
import { createAdmission } from '../kernel/admission.ts'
import { ApiError } from '../kernel/api-error.ts'
import { ASSET_TYPES, type Assets, type EncodedImage } from '../kernel/assets.ts'
import { MOST_PIXELS, REFUSED } from './image-limits.ts'

const PROGRAM = fileURLToPath(new URL('./image-program.ts', import.meta.url))

/** How many programs run at a time, each with up to 340 MB, and how many uploads wait for one with their file in memory. */
const [AT_ONCE, IN_LINE] = [1, 5]
/** The largest accepted image takes seconds. */
const LONGEST_MS = 60_000

/** The first bytes of accepted files, in hexadecimal. */
const SIGNATURES: Readonly<Record<(typeof UPLOAD_MEDIA_TYPES)[number], RegExp>> = {
  'image/jpeg': /^ffd8ff/,
  'image/png': /^89504e470d0a1a0a/,
  'image/gif': /^474946383[79]61/,
  'image/webp': /^52494646.{8}57454250/,
}
const LONGEST_SIGNATURE = 12

const isTaken = (file: Buffer): boolean => {
  const beginning = file.subarray(0, LONGEST_SIGNATURE).toString('hex')
  return UPLOAD_MEDIA_TYPES.some((type) => SIGNATURES[type].test(beginning))
}

/** What the program wrote, once it has ended. */
interface Run {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly output: Buffer
  readonly complaint: string
}

/** Nothing of the environment is passed on: it holds the server's secrets. */
const run = (file: Buffer, purpose: string): Promise<Run> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--no-warnings', PROGRAM, purpose], {
      env: { MALLOC_ARENA_MAX: '2', UV_THREADPOOL_SIZE: '1' },
      stdio: 'pipe',
      timeout: LONGEST_MS,
      killSignal: 'SIGKILL',
    })
    const written = Promise.all([buffer(child.stdout), text(child.stderr)])
    child.on('error', reject)
    child.on('close', (code, signal) => {
      written.then(([output, complaint]) => resolve({ code, signal, output, complaint }), reject)
    })
    // a program that exits early does not read all its input
    child.stdin.on('error', () => undefined).end(file)
  })

const isExtension = (name: string): name is EncodedImage['extension'] => Object.hasOwn(ASSET_TYPES, name)

const imageOf = ({ code, signal, output, complaint }: Run): EncodedImage => {
  const refuse = (reason: string) => new ApiError('guard.invalid_input', { reason })
  if (code === REFUSED.tooManyPixels) throw refuse(`the image has more than ${MOST_PIXELS} pixels`)
  // a decoder that crashed or did not finish had an invalid image
  if (code === REFUSED.unreadable || signal !== null) throw refuse('the image cannot be read')
  const end = output.indexOf('\n')
  const extension = output.subarray(0, end).toString()
  if (code !== 0 || !isExtension(extension)) throw new Error(`the image program exited with ${code}: ${complaint}`)
  return { extension, bytes: output.subarray(end + 1) }
}

/** Creates the encoder, with a limited number of concurrent programs. */
export const createImageEncoder = (): Assets['encode'] => {
  const admit = createAdmission(AT_ONCE, IN_LINE, 'too many images are being read; try again soon')
  return async (file, purpose) => {
    if (!isTaken(file)) throw new ApiError('guard.mime_type_not_allowed', { allowed: UPLOAD_MEDIA_TYPES.join(', ') })
    return imageOf(await admit(() => run(file, purpose)))
  }
}
