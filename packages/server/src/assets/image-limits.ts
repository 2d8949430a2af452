/** The limits of images (DECISIONS L25) that image-program.ts enforces, and its exit codes for refusals. */

/** Pixels of the file, checked before anything is decoded. A photo from a phone has 12 to 24 million. */
export const MOST_PIXELS = 25_000_000
/** Pixels of a side. */
export const LARGEST_AVATAR = 512
export const LARGEST_PICTURE = 2048

/** Exit codes of the program. Any other code except 0 is a fault of the server. */
export const REFUSED = { unreadable: 3, tooManyPixels: 4 } as const
