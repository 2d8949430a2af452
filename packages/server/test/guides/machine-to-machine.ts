/** The commands of the guide about tokens for machines. */
import { expect } from 'vitest'
import { type Walk, withGuide } from './walk.ts'

export const machineToMachine: Walk = (place) =>
  withGuide(place, 'machine-to-machine', async (guide) => {
    const printed = await guide.all()
    expect(printed.length).toBeGreaterThan(4)
    expect(printed[3]).toContain('"scope":"read:orders"')
    expect(printed[4]).toContain('no role of the subject holds a permission')
    expect(printed[5]).toContain('"access_token"')
    expect(printed[5]).toContain('"scope":""')
    expect(printed.join('')).not.toMatch(/"code":|"error":/)
  })
