/** What of an image is taken and kept, as image-program.ts enforces it, and how it says no. */

/** Of the file, before anything is decoded. A photo of a phone has 12 to 24 million. */
export const MOST_PIXELS = 25_000_000
/** Pixels of a side. */
export const LARGEST_AVATAR = 512
export const LARGEST_PICTURE = 2048

/** How the program exits. Any other code but 0 is a fault of ours. */
export const REFUSED = { unreadable: 3, tooManyPixels: 4 } as const
