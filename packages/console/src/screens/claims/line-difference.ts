/** The lines in which two texts differ: the longest lines that they have in common, in order, stay. */

export interface Line {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

/** Texts with more lines, multiplied, are shown as one that goes and one that comes. */
const MOST = 4_000_000

/** @param before and after texts of at most 64 KiB */
export const lineDifference = (before: string, after: string): readonly Line[] => {
  const [old, now] = [before.split('\n'), after.split('\n')]
  const whole = [
    ...old.map((text) => ({ kind: 'removed', text }) as const),
    ...now.map((text) => ({ kind: 'added', text }) as const),
  ]
  if (old.length * now.length > MOST) return whole
  // common[i][j]: how many lines the rests from i and j have in common
  const common = Array.from({ length: old.length + 1 }, () => new Uint32Array(now.length + 1))
  const at = (i: number, j: number) => common[i]?.[j] ?? 0
  for (let i = old.length - 1; i >= 0; i -= 1)
    for (let j = now.length - 1; j >= 0; j -= 1) {
      const row = common[i]
      if (row) row[j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  const lines: Line[] = []
  let [i, j] = [0, 0]
  while (i < old.length || j < now.length) {
    const [left, right] = [old[i], now[j]]
    if (left !== undefined && left === right) {
      lines.push({ kind: 'same', text: left })
      i += 1
      j += 1
    } else if (left !== undefined && (right === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ kind: 'removed', text: left })
      i += 1
    } else {
      lines.push({ kind: 'added', text: right ?? '' })
      j += 1
    }
  }
  return lines
}
