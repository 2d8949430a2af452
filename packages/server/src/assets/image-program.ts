/**
 * Reads an untrusted image: a separate program, run once for each upload (images.ts). The decoders are native code, and
 * their input is untrusted: here no key and no connection of the server is in their memory, which ends with the upload.
 *
 * Takes the file on standard input and the purpose as its argument; writes the extension as a line, then the bytes.
 * Exits with one of REFUSED if it refuses the file.
 */
import { writeFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { LARGEST_AVATAR, LARGEST_PICTURE, MOST_PIXELS, REFUSED } from './image-limits.ts'

/** libvips reads many more formats, with decoders that are tested far less. */
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadWebpBuffer',
    'VipsForeignLoadNsgifBuffer',
  ],
})
sharp.cache(false)
sharp.concurrency(1)

const encoded = async (file: Buffer, isAvatar: boolean): Promise<{ extension: string; bytes: Buffer }> => {
  // reads only the header
  const { width, height, format } = await sharp(file, { limitInputPixels: false }).metadata()
  if (width * height > MOST_PIXELS) process.exit(REFUSED.tooManyPixels)
  // for an animation this is the first frame
  const upright = sharp(file, { limitInputPixels: MOST_PIXELS, failOn: 'error' }).autoOrient()
  if (isAvatar) {
    const side = Math.min(LARGEST_AVATAR, width, height)
    return { extension: 'webp', bytes: await upright.resize(side, side).webp({ quality: 82 }).toBuffer() }
  }
  const shown = upright.resize(LARGEST_PICTURE, LARGEST_PICTURE, { fit: 'inside', withoutEnlargement: true })
  if (format === 'jpeg') return { extension: 'jpg', bytes: await shown.jpeg({ quality: 88 }).toBuffer() }
  if (format === 'webp') return { extension: 'webp', bytes: await shown.webp({ quality: 88 }).toBuffer() }
  return { extension: 'png', bytes: await shown.png().toBuffer() }
}

try {
  // if memory runs out, it is this process that Linux ends, and not the server
  writeFileSync('/proc/self/oom_score_adj', '1000')
} catch {
  // another system has no such file
}

const [purpose] = process.argv.slice(2)
const file = await buffer(process.stdin)
try {
  const { extension, bytes } = await encoded(file, purpose === 'avatar')
  process.stdout.write(Buffer.concat([Buffer.from(`${extension}\n`), bytes]))
} catch {
  process.exit(REFUSED.unreadable)
}
