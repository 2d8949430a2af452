/** The commands of the guide about a sign-in that the applications of a device share. */
import { expect } from 'vitest'
import { type Walk, withGuide } from './walk.ts'

export const nativeSso: Walk = (place) =>
  withGuide(place, 'native-sso', async (guide) => {
    const [, secret, taken, ended] = await guide.all()
    expect(secret?.trim()).toMatch(/cs_ds_$/)
    expect(taken?.trim()).toBe(
      'true access_token,device_secret,expires_in,issued_token_type,refresh_token,scope,token_type',
    )
    expect(JSON.parse(ended?.trim() ?? '')).toMatchObject({ error: 'invalid_grant' })
  })
