/** The progress of a long command: a bar that stays on its line on a terminal, a line every few seconds elsewhere. */

export interface ProgressLine {
  /** @param done of `total`, when that is known @param text what to say beside the bar */
  show(done: number, text: string): void
  /** Leaves the line, so that what is printed next has one of its own. */
  end(): void
}

const WIDTH = 24
const TERMINAL_EVERY_MS = 100
const ELSEWHERE_EVERY_MS = 5000

const bar = (share: number): string => {
  const full = Math.floor(share * WIDTH)
  return `[${'='.repeat(full)}${' '.repeat(WIDTH - full)}] ${String(Math.floor(share * 100)).padStart(3)} %  `
}

/** @param total undefined when it is unknown, as of a pipe */
export const progressLine = (stream: NodeJS.WriteStream, total: number | undefined): ProgressLine => {
  const every = stream.isTTY ? TERMINAL_EVERY_MS : ELSEWHERE_EVERY_MS
  let shownAt = performance.now()
  let isOpen = false
  // a reader that has gone away does not end the command
  stream.on('error', () => undefined)
  return {
    show(done, text) {
      if (performance.now() - shownAt < every) return
      shownAt = performance.now()
      if (!stream.isTTY) return void stream.write(`${text}\n`)
      const line = `${total ? bar(Math.min(1, done / total)) : ''}${text}`
      stream.write(`\r${line.slice(0, stream.columns - 1)}\x1b[K`)
      isOpen = true
    },
    end() {
      if (isOpen) stream.write('\r\x1b[K')
      isOpen = false
    },
  }
}
