// How the suite's scripted browser goes through our pages, which need no script: the `browser` member of a configuration.

/** The person whom the suite signs in: they have every claim, because the modules about scopes warn about each that is missing. */
export const PERSON = {
  username: 'ada_suite',
  password: 'a long enough phrase',
  name: 'Ada Lovelace',
  avatar: 'https://ada.example/ada.png',
  primaryEmail: 'ada@ada.example',
  primaryPhone: '4915112345678',
  profile: {
    givenName: 'Ada',
    familyName: 'Lovelace',
    middleName: 'Augusta',
    nickname: 'Countess',
    preferredUsername: 'ada',
    profile: 'https://ada.example/me',
    website: 'https://ada.example',
    gender: 'female',
    birthdate: '1915-12-10',
    zoneinfo: 'Europe/London',
    locale: 'en-GB',
    address: { formatted: '12 St James Square, London', locality: 'London', country: 'United Kingdom' },
  },
}

const screenshotOf = (id: string) => ['wait', 'id', id, 10, '.*', 'update-image-placeholder-optional']

/** @param base the base URL of the server. @param home the addresses of the suite for one alias */
export const browserOf = (base: string, home: string) => [
  {
    match: `${base}/oidc/auth*`,
    tasks: [
      {
        task: 'Sign in',
        match: `${base}/sign-in/*`,
        optional: true,
        commands: [
          screenshotOf('title'),
          ['text', 'id', 'identifier', PERSON.username],
          ['text', 'id', 'password', PERSON.password],
          ['click', 'id', 'submit'],
        ],
      },
      {
        task: 'Send the form of form_post',
        match: `${base}/oidc/auth*`,
        optional: true,
        commands: [['click', 'id', 'continue', 'optional']],
      },
      {
        task: 'Show what was refused',
        match: `${base}/oidc/auth*`,
        optional: true,
        commands: [screenshotOf('explanation')],
      },
      {
        task: 'Arrive',
        match: `${home}/callback*`,
        optional: true,
        commands: [['wait', 'id', 'submission_complete', 10]],
      },
    ],
  },
  {
    match: `${base}/oidc/session/end*`,
    tasks: [
      {
        task: 'Sign out',
        match: `${base}/oidc/session/end*`,
        optional: true,
        commands: [['click', 'id', 'confirm', 'optional']],
      },
      {
        task: 'Show the page',
        match: `${base}/oidc/session/end*`,
        optional: true,
        commands: [screenshotOf('title')],
      },
    ],
  },
]
