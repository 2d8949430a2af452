/** Acting as a user, and the notice on every screen while it lasts. */
export const acting = {
  'acting.text':
    'You get an access token as this user for one API. It lives for at most ten minutes, and what is done with it counts as done by the user.',
  'acting.permissions': 'Permissions',
  'acting.permissionsHint': 'The token has those that the user holds.',
  'acting.begin': 'Act as user',
  'acting.made':
    'The token works until {time} and is not shown again. It says that you act for the user. End it as soon as you are done.',
  'acting.token': 'Access token',
  'acting.claims': 'Claims',
  'acting.request': 'Request to the API',
  'acting.noScopes': 'The user holds none of these permissions: the token has none.',
  'acting.banner': 'You act as {name} for “{reason}” until {time}.',
  'acting.end': 'End',
  'acting.endLabel': 'End acting as {name}',
  'acting.ended': 'The token is refused from now on. An API that only checks its signature accepts it until {time}.',
}
