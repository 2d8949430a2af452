/** A clock that stands still until a test moves it. */
import type { Clock } from '@countersign/server/kernel/clock.ts'

export class TestClock implements Clock {
  #now = new Date()

  now(): Date {
    return new Date(this.#now)
  }

  /** Advances the time. */
  advance(seconds: number): void {
    this.#now = new Date(this.#now.getTime() + seconds * 1000)
  }
}
