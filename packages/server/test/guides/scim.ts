/** The commands of the guide about provisioning by SCIM. */
import { expect } from 'vitest'
import { type Walk, withGuide } from './walk.ts'

export const scim: Walk = (place) =>
  withGuide(place, 'scim', async ({ blocks, next }) => {
    expect(blocks).toHaveLength(5)
    expect(await next()).toMatch(/"baseUrl":"http:\/\/localhost:\d+\/scim\/v2\/[0-9a-z]{21}"/)
    const created = await next()
    expect(created).toContain('"totalResults":0')
    expect(created).toContain('"name":"Hank Scorpio"')
    expect(await next()).toContain('"active":false')
    expect(await next()).toMatch(/"memberCount":1,.*"name":"Globex engineer [0-9a-z]{21}"/s)
    expect(await next()).toContain('"status":"404"')
  })
