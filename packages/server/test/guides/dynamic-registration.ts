/** The commands of the guide about applications that register themselves. */
import { expect } from 'vitest'
import { type Walk, withGuide } from './walk.ts'

export const dynamicRegistration: Walk = (place) =>
  withGuide(place, 'dynamic-registration', async (guide) => {
    const [opened, , registered, changed, closed] = await guide.all()
    expect(opened?.trim().split('\n')).toEqual(['initial-access-token', `${place.server.baseUrl}/oidc/register`])
    expect(registered?.trim().split('\n')).toEqual([
      'Partner: Notes',
      'openid offline_access profile',
      'invalid_redirect_uri',
    ])
    expect(changed?.trim().split('\n')).toEqual(['Partner: Notebook', 'invalid_token'])
    expect(closed?.trim()).toBe('closed')
  })
