/** The commands of the guide about logos and avatars. */
import { expect } from 'vitest'
import { type Walk, withGuide } from './walk.ts'

export const uploads: Walk = (place) =>
  withGuide(place, 'uploads', async (guide) => {
    const [, branding = ''] = await guide.all()
    const [url = ''] = /http[^']+\.png/.exec(branding) ?? []
    expect((await fetch(url)).headers.get('content-type')).toBe('image/png')
  })
