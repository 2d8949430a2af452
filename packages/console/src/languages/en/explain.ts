/** Phrases of the screen that explains a token. */
export const explain = {
  'nav.explain': 'Explain a token',

  'explain.text':
    'Why does a token have, or lack, a scope? The answer comes from the code that issues tokens; nothing is issued.',
  'explain.question': 'A sign-in of',
  'explain.application': 'Application',
  'explain.choose': 'Choose…',
  'explain.noneOf': 'None',
  'explain.userText': 'The user who would sign in.',
  'explain.applicationText': 'The application that would ask for the token.',
  'explain.scope': 'Scopes',
  'explain.scopeHint': 'Names with spaces between. Empty: every permission of the API.',
  'explain.ask': 'Explain',
  'explain.none': 'Choose a user and an application',
  'explain.noneText': 'Then you see which token the user would get there now, and through which roles.',
  'explain.jwt': 'A JWT for the API',
  'explain.opaque': 'An opaque token',
  'explain.refused': 'No token',
  'explain.audience': 'Audience',
  'explain.userinfo': 'The userinfo endpoint',
  'explain.why': 'Why this one',
  'explain.scopes': 'Requested scopes',
  'explain.granted': 'Granted',
  'explain.missing': 'Not granted',
  'explain.through': 'Roles that hold it:',
  'explain.inOrganization': '{name} (in the organization)',
}
