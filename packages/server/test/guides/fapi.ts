/** The commands of the guide about FAPI 2.0. */
import { expect } from 'vitest'
import { type Walk, withGuide } from './walk.ts'

export const fapi: Walk = (place) =>
  withGuide(place, 'fapi', async (guide) => {
    const [registered, refused, unpushed, signed, tenant] = await guide.all()
    expect(registered?.trim()).toBe('fapi2')
    expect(refused).toContain('redirectUris must be https addresses')
    expect(unpushed).toMatch(/^https:\/\/bank\.example\/callback\?error=invalid_request/)
    expect(signed?.trim()).toBe('true')
    // other guides have applications that keep to no profile
    expect(tenant).toContain('do not keep to the profile fapi2')
    expect(tenant).toContain('"profile":"none"')
  })
