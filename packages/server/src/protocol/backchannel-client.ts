/** Which applications may ask for users without a browser (OpenID CIBA sections 4 and 7.1, DECISIONS F27). */
import type { Client } from '../domain/applications/clients.ts'

/** Why the client may not, or undefined when it may. */
export const refuseBackchannel = ({ isConfidential, metadata }: Client): string | undefined =>
  isConfidential && metadata.backchannelTokenDeliveryMode !== undefined
    ? undefined
    : 'the application does not use backchannel authentication'
