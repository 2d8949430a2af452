/** The commands of the guide about SAML applications. */
import { expect } from 'vitest'
import { type Walk, withGuide } from './walk.ts'

export const samlApplication: Walk = (place) =>
  withGuide(place, 'saml-application', async (guide) => {
    const [created, metadata, certificate, keys, started] = await guide.all()
    expect(created).toContain('"entityId":"https://wiki.example/saml/metadata"')
    expect(metadata).toMatch(
      /<md:SingleSignOnService [^>]+Location="http:\/\/localhost:\d+\/api\/saml\/[0-9a-z]{21}\/authn"/,
    )
    expect(certificate).toContain('-----BEGIN CERTIFICATE-----')
    expect(keys).toMatch(/^true$/m)
    expect(started).toMatch(/^true\n303$/m)
    // names identify applications in an export, and the guide is followed several times
    await guide.type('api DELETE /saml-applications/$APPLICATION')
  })
