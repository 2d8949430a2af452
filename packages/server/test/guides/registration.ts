/** The commands of the guide about registration. */
import { expect } from 'vitest'
import { type Walk, withGuide } from './walk.ts'

export const registration: Walk = (place) =>
  withGuide(place, 'registration', async (guide) => {
    const [, identifiers, fields, asked, off] = await guide.all()
    expect(identifiers).toContain("secondaryIdentifiers: [ { identifier: 'email' } ]")
    expect(fields).toContain("[ '1 fullname', '2 birthdate', '3 company', '4 plan' ]")
    expect(asked).toMatch(/^3\n\[ 'fullname', 'company', 'plan' \]/m)
    expect(off).toContain('secondaryIdentifiers: []')
  })
