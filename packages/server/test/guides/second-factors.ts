/** The commands of the guide about second factors. */
import { expect } from 'vitest'
import { type Walk, withGuide } from './walk.ts'

export const secondFactors: Walk = (place) =>
  withGuide(place, 'second-factors', async (guide) => {
    const [, settings, factors, passkeys, off, adaptive, notAdaptive] = await guide.all()
    expect(settings).toContain("'BackupCode'")
    expect(factors).toMatch(/[A-Z2-7]{32}\n10\n\[ 'Totp', 'BackupCode' \]/)
    expect(passkeys).toContain('enabled: true')
    expect(off).toContain('[]')
    expect(adaptive).toContain('enabled: true')
    expect(notAdaptive).toContain('enabled: false')
  })
