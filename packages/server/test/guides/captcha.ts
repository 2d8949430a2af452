/** The commands of the guide about captchas. */
import { expect } from 'vitest'
import { type Walk, withGuide } from './walk.ts'

export const captcha: Walk = (place) =>
  withGuide(place, 'captcha', async (guide) => {
    const [, policy, provider, removed, off] = await guide.all()
    expect(policy).toContain('afterFailures: 3')
    expect(provider).toContain('Turnstile')
    expect(removed).toBe('')
    expect(off).toContain('false')
  })
