/** The commands of the guide about the console. */
import { expect } from 'vitest'
import { type Walk, withGuide } from './walk.ts'

export const console: Walk = (place) =>
  withGuide(place, 'console', async ({ blocks, next }) => {
    expect(blocks).toHaveLength(5)
    expect(await next()).toMatch(/console_ada is an administrator with the role owner[\s\S]+console_ada +owner +no/)
    expect(await next()).toMatch(/console_grace is an administrator with the role [0-9a-z]{21}\.\n[\s\S]*1\n$/)
    expect(await next()).toBe(
      'an opaque token for userinfo: no resource was asked for, and openid is among the scopes\n',
    )
    expect(await next()).toBe('true\n')
    expect(await next()).toMatch(/^\d+\n$/)
  })
