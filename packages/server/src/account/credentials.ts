/** `/my-account/password`, `/primary-email`, `/primary-phone`: what users sign in with. */
import { accountCredentialRoutes } from '@countersign/contract/account-credentials.ts'
import { changeOwnAddress, removeOwnAddress } from '../domain/account/own-addresses.ts'
import { changeOwnPassword } from '../domain/account/own-password.ts'
import { bind } from '../http/api.ts'
import { holderOf } from './authorize.ts'
import { rulesOf } from './rules.ts'

export const accountCredentialHandlers = bind(accountCredentialRoutes, {
  async setMyPassword({ body }, call) {
    await changeOwnPassword(call, holderOf(call), await rulesOf(call), body.password)
  },
  async setMyEmail({ body }, call) {
    const address = { type: 'email', value: body.email } as const
    const { newIdentifierVerificationRecordId: id } = body
    await call.perform(changeOwnAddress, holderOf(call), await rulesOf(call), address, id)
  },
  async removeMyEmail(_input, call) {
    await call.perform(removeOwnAddress, holderOf(call), await rulesOf(call), 'email')
  },
  async setMyPhone({ body }, call) {
    const address = { type: 'phone', value: body.phone } as const
    const { newIdentifierVerificationRecordId: id } = body
    await call.perform(changeOwnAddress, holderOf(call), await rulesOf(call), address, id)
  },
  async removeMyPhone(_input, call) {
    await call.perform(removeOwnAddress, holderOf(call), await rulesOf(call), 'phone')
  },
})
