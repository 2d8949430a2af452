/** The commands of the guide about custom claims. */
import { expect } from 'vitest'
import { type Walk, withGuide } from './walk.ts'

export const customClaims: Walk = (place) =>
  withGuide(place, 'custom-claims', async (guide) => {
    const printed = await guide.all()
    const [made, tried, kept, denied, failed] = printed
    expect(made).toContain('"team":"billing"')
    expect(tried).toContain('"claims":{"team":"billing","region":"eu"}')
    expect(tried).toContain('{"level":"info","text":"team billing"}')
    expect(kept).toContain('"team":"billing","region":"eu","iss":')
    expect(denied).toContain('"error":"access_denied","error_description":"this application belongs to no team"')
    expect(failed).toContain('"error":"invalid_request"')
    expect(failed).toContain('custom claims: threw: Error: not today')
    expect(printed.join('')).not.toContain('{"code":')
  })
