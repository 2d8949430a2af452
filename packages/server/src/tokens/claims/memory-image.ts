/**
 * A snapshot of a WebAssembly memory, to be restored. All state that a program keeps between calls is in that memory,
 * so after restoring it is as if nothing had run. The memory has the layout of Emscripten: data, the stack, the heap.
 * The stack is larger than the others together; between calls nothing on it matters, and it is left as it is.
 */

const BLOCK = 64 * 1024
/** A run of zeros this long is a part of the stack that was never used: nothing else is as large. */
const STACK_BLOCKS = 16

/** The ranges of the snapshot: before the stack, and behind it. In bytes. */
export interface Layout {
  readonly data: { readonly start: number; readonly end: number }
  readonly heap: { readonly start: number; readonly end: number }
}

/**
 * Finds which parts of a memory have to be saved. One more block is saved on either side of the unused part of the
 * stack: for data there that was not yet written, and for what calls leave behind. Costs a millisecond; the same steps
 * lead to the same layout. Throws when no stack can be found.
 */
export const layoutOf = (memory: WebAssembly.Memory): Layout => {
  const zeros = Buffer.alloc(BLOCK)
  const used = Array.from(
    { length: memory.buffer.byteLength / BLOCK },
    (_, block) => !zeros.equals(new Uint8Array(memory.buffer, block * BLOCK, BLOCK)),
  )
  const first = used.findIndex((_, block) => used.slice(block, block + STACK_BLOCKS).every((isUsed) => !isUsed))
  const heap = used.indexOf(true, first)
  if (first <= 0 || heap < 0) throw new Error('the memory of the engine has an unexpected layout')
  return {
    data: { start: 0, end: (first + 1) * BLOCK },
    heap: { start: (heap - 1) * BLOCK, end: (used.lastIndexOf(true) + 2) * BLOCK },
  }
}

/**
 * Saves the current content of a memory. Returns a function that restores it and says whether it could: it cannot if
 * the memory has grown.
 */
export const takeImage = (memory: WebAssembly.Memory, { data, heap }: Layout): (() => boolean) => {
  const { buffer } = memory
  const kept = [data, heap].map(({ start, end }) => ({ start, bytes: new Uint8Array(buffer.slice(start, end)) }))
  return () => {
    if (memory.buffer !== buffer) return false
    const all = new Uint8Array(buffer)
    for (const { start, bytes } of kept) all.set(bytes, start)
    return true
  }
}
