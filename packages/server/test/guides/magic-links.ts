/** The commands of the guide about magic links. */
import { expect } from 'vitest'
import { type Walk, withGuide } from './walk.ts'

export const magicLinks: Walk = (place) =>
  withGuide(place, 'magic-links', async (guide) => {
    const [, made, opened, used, again, mail] = await guide.all()
    expect(made).toBe('active\n')
    expect(opened).toBe('id="email">mia@example.com\nactive\n')
    expect(used).toBe('http://localhost:4000/callback?code\nconsumed\nmia\n')
    expect(again).toBe('one-time-token\none_time_token.token_consumed\n')
    expect(mail).toBe('Your link to sign in\n')
  })
