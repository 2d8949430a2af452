/**
 * A WebAssembly memory as it was, to be put back. What a program of that memory does between its calls is all in there, so
 * that it is afterwards as if nothing had run. What lies in the memory is as Emscripten lays it out: data, the stack, the
 * heap. The stack is larger than the others together; between calls nothing on it counts, and it is left as it is.
 */

const BLOCK = 64 * 1024
/** What is zero over such a length is a part of the stack that was never used: nothing else is as large. */
const STACK_BLOCKS = 16

/** Where the image lies: before the stack, and behind it. In bytes. */
export interface Layout {
  readonly data: { readonly start: number; readonly end: number }
  readonly heap: { readonly start: number; readonly end: number }
}

/**
 * Finds what has to be kept of a memory. A block more is kept at either side of the stack that was not used so far: what
 * lies there without having been written, and what calls leave. Costs a millisecond; the same steps lead to the same layout.
 * Throws when there is no stack to be seen.
 */
export const layoutOf = (memory: WebAssembly.Memory): Layout => {
  const zeros = Buffer.alloc(BLOCK)
  const used = Array.from(
    { length: memory.buffer.byteLength / BLOCK },
    (_, block) => !zeros.equals(new Uint8Array(memory.buffer, block * BLOCK, BLOCK)),
  )
  const first = used.findIndex((_, block) => used.slice(block, block + STACK_BLOCKS).every((isUsed) => !isUsed))
  const heap = used.indexOf(true, first)
  if (first <= 0 || heap < 0) throw new Error('the engine has another layout of its memory')
  return {
    data: { start: 0, end: (first + 1) * BLOCK },
    heap: { start: (heap - 1) * BLOCK, end: (used.lastIndexOf(true) + 2) * BLOCK },
  }
}

/** Keeps what a memory holds now. Returns how to put it back, which says whether it did: it cannot when the memory has grown. */
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
