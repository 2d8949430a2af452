/** The commands of the guide about messages, with the provider that it starts. */
import { freePort } from '@countersign/harness/free-port.ts'
import { expect } from 'vitest'
import { type Walk, withGuide } from './walk.ts'

export const messages: Walk = async (place) => {
  const port = String(await freePort())
  const follow: Parameters<typeof withGuide>[2] = async (guide) => {
    const [, , sms, signIn, code, mail, template, cleanUp] = await guide.all()
    const { host, hostname } = new URL(place.server.baseUrl)
    expect(JSON.parse(sms ?? '')).toMatchObject({
      to: '+493023125000',
      text: expect.stringContaining(`@${hostname} #123456`),
    })
    expect(signIn).toBe('true\n1\n')
    // the right code prints nothing
    expect(JSON.parse(code ?? '')).toMatchObject({ code: 'verification_code.not_found' })
    expect(mail).toBe('Your verification code\n')
    expect(template).toContain(`subject: 'Welcome to ${host}'`)
    expect(template).toContain("html: '<p>Your code is <b>123456</b>, .</p>'")
    expect(template).toContain("unknownVariables: [ 'name' ]")
    expect(template?.endsWith('en\n')).toBe(true)
    expect(cleanUp).toContain('"rowCount":1')
  }
  const listening = `PROVIDER=$!\nuntil curl -s -o /dev/null localhost:${port}; do sleep 0.1; done\n`
  await withGuide(place, 'messages', follow, [
    ['2526', port],
    // wait until it listens: a person takes longer to type
    ['PROVIDER=$!\n', listening],
  ])
}
