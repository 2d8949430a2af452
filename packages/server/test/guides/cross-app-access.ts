/** The commands of the guide about identity assertions. */
import { decodeJwt } from 'jose'
import * as client from 'openid-client'
import { expect } from 'vitest'
import { begin, newBrowser, redeem, signIn } from '../sign-in/arrange.ts'
import { type Walk, withGuide } from './walk.ts'

export const crossAppAccess: Walk = (place) =>
  withGuide(place, 'cross-app-access', async (guide) => {
    const { server } = place
    const printed = [await guide.next(), await guide.next()]
    expect(printed[0]).toBe('1\n')
    expect(printed[1]).toContain('true')
    const [appId = '', secret = '', userId = '', connectorId = ''] = (
      await guide.type('echo "$APP $SECRET $GRACE $CONNECTOR"')
    )
      .trim()
      .split(' ')
    const issuer = server.issuer
    const configuration = await client.discovery(new URL(issuer), appId, undefined, client.ClientSecretBasic(secret), {
      execute: [client.allowInsecureRequests],
    })
    const begun = await begin(configuration, { scope: 'openid' })
    const { id_token } = await redeem(configuration, await signIn(newBrowser(), begun, 'grace_reads'), begun)
    const now = server.clock.now()
    await server.store.database.kysely
      .insertInto('user_sso_identities')
      .values({
        ...{
          tenant_id: 'default',
          id: userId,
          user_id: userId,
          connector_id: connectorId,
          issuer,
          identity_id: userId,
        },
        ...{ detail: '{}', created_at: now, updated_at: now },
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await guide.type(`ID_TOKEN=${id_token}`)
    expect(JSON.parse(await guide.next())).toMatchObject({ sub: userId, scope: 'read:pages' })
    const [first = '', second = ''] = (await guide.next()).trim().split(/(?<=\})\s*(?=\{)/)
    expect(JSON.parse(first)).toMatchObject({ scope: 'read:pages', token_type: 'Bearer' })
    expect(decodeJwt(JSON.parse(first).access_token)).toMatchObject({ sub: userId, aud: 'https://wiki.example/mcp' })
    expect(JSON.parse(second)).toMatchObject({ error: 'invalid_grant' })
  })
