/** What passwords, usernames, codes and addresses must be like, and when guesses are locked out, in the sign-in settings (DECISIONS L). */
import Type from 'typebox'

const Words = Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { maxItems: 1000 })

/** What passwords must be like; what is left out is as by default. */
export const passwordPolicy = Type.Object({
  length: Type.Optional(
    Type.Object({
      min: Type.Optional(Type.Integer({ minimum: 1, maximum: 256 })),
      max: Type.Optional(Type.Integer({ minimum: 1, maximum: 256 })),
    }),
  ),
  characterTypes: Type.Optional(
    Type.Object({
      min: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 4,
          description: 'Number of character classes: upper case, lower case, digits, everything else',
        }),
      ),
    }),
  ),
  rejects: Type.Optional(
    Type.Object({
      pwned: Type.Optional(
        Type.Boolean({
          description:
            'Whether passwords known from breaches are refused; off by default. They are looked up in PWNED_PASSWORDS_FILE, or asked for by five characters of their hash; a failed look-up refuses nothing',
        }),
      ),
      repetitionAndSequence: Type.Optional(Type.Boolean()),
      userInfo: Type.Optional(Type.Boolean()),
      words: Type.Optional(Words),
    }),
  ),
})
export const usernamePolicy = Type.Object({
  caseSensitive: Type.Optional(
    Type.Boolean({
      description:
        'Whether usernames that differ only in case are different names; false by default. It can be switched off only while there are no such names',
    }),
  ),
  minLength: Type.Optional(Type.Integer({ minimum: 1, maximum: 128 })),
  maxLength: Type.Optional(Type.Integer({ minimum: 1, maximum: 128 })),
  allowedChars: Type.Optional(
    Type.Object({
      lowercase: Type.Optional(Type.Boolean()),
      uppercase: Type.Optional(Type.Boolean()),
      numbers: Type.Optional(Type.Boolean()),
      underscore: Type.Optional(Type.Boolean()),
    }),
  ),
})
export const sentinelPolicy = Type.Object({
  maxAttempts: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, description: 'Consecutive failures that lock an identifier' }),
  ),
  lockoutDuration: Type.Optional(Type.Integer({ minimum: 1, maximum: 1440, description: 'Minutes' })),
})
export const verificationCodePolicy = Type.Object({
  expirationDuration: Type.Optional(Type.Integer({ minimum: 60, maximum: 3600, description: 'Seconds' })),
  maxRetryAttempts: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
})
const BlocklistEntries = Type.Array(Type.String({ minLength: 1, maxLength: 256 }), {
  maxItems: 1000,
  description: 'Email addresses, and domains as `@example.com`, which stands for that domain alone',
})
export const emailBlocklistPolicy = Type.Object(
  {
    blockDisposableAddresses: Type.Optional(
      Type.Boolean({ description: 'Refuses addresses of services for addresses to throw away' }),
    ),
    blockSubaddressing: Type.Optional(Type.Boolean({ description: 'Refuses `name+tag@example.com`' })),
    customAllowlist: Type.Optional(BlocklistEntries),
    customBlocklist: Type.Optional(BlocklistEntries),
  },
  {
    description:
      'Which addresses people cannot register with or add to their account; the allow list comes first. The Management API is not bound by it',
  },
)
export const passwordExpiration = Type.Object({
  enabled: Type.Optional(Type.Boolean({ description: 'Needs a way to reset forgotten passwords' })),
  validPeriodDays: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 3650, description: 'How many days a password is good; required to enable it' }),
  ),
  enabledAt: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'When it was switched on, in milliseconds since 1970-01-01T00:00:00Z: passwords that were older have their whole period from then on. Set by the server; ignored in a request',
    }),
  ),
})
