/** The commands of the guide about enterprise SSO. */
import { expect } from 'vitest'
import { type Walk, withGuide } from './walk.ts'

export const enterpriseSso: Walk = (place) =>
  withGuide(place, 'enterprise-sso', async (guide) => {
    const answers = await guide.all()
    const [, entra, isComplete, okta, metadata, acs, isActive, isSent, isOn, exempt, ...rest] = answers
    const [organization, look, own, logout, back, singleLogout, isOff] = rest
    for (const address of [entra, okta]) expect(address).toMatch(/^http:\/\/localhost:\d+\/callback\/[0-9a-z]{21}$/m)
    expect([isComplete, isSent, isOn, exempt, organization].map((text) => text?.trim())).toEqual([
      ...['true', 'true', 'true', '1', 'Acme'],
    ])
    expect(look?.trim()).toBe('#0b6e4f\nhttps://acme.example/logo.svg')
    expect(own).toMatch(/^_countersign-challenge\.customer\.example\nacme-works\.example\n[0-9a-z]+\n$/)
    expect(logout).toContain('/backchannel-logout')
    expect(back).toContain('/signed-out')
    expect(singleLogout).toMatch(/\/enterprise-sso\/[0-9a-z]{21}\/logout$/m)
    expect(metadata).toMatch(/<EntityDescriptor .*entityID="http:\/\/localhost:\d+\/enterprise-sso\/[0-9a-z]{21}"/)
    expect(metadata).toContain(acs?.trim())
    expect(isActive).toMatch(/^true/)
    expect(isOff).toMatch(/^false/)
  })
