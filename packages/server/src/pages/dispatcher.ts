/** What the pages need of the authorize dispatcher, which is given to them: they do not import the protocol. */
import type { Client } from '../domain/applications/clients.ts'
import type { Authorized, Ending } from '../domain/sign-in/authorization.ts'
import type { Interaction } from '../domain/sign-in/interactions.ts'
import type { Answer, Exchange } from '../http/exchange.ts'

export interface Dispatcher {
  /** Decides whether a sign-in in this interaction ends its request. Undefined: only when the browser comes back. */
  endingOf(exchange: Exchange, client: Client, interaction: Interaction): Promise<Ending | undefined>
  /** The way back to the application with the code, after the commit. */
  answer(exchange: Exchange, interaction: Interaction, authorized: Authorized): Promise<Answer>
}
