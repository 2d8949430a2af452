/** Phrases of administrators. */
export const administrators = {
  'administrators.text': 'Users who may open this console, and what they may do in it.',
  'administrators.add': 'Add administrator',
  'administrators.addText': 'Choose a user. They sign in here with the account that they have.',
  'administrators.change': 'Change roles',
  'administrators.changeText': 'The change takes effect with their next click.',
  'administrators.roles': 'Roles',
  'administrators.you': 'You',
  'administrators.lastSignIn': 'Last sign-in: {when}',
  'administrators.remove': 'Remove administrator',
  'administrators.removeText': 'They cannot open the console any more, from this moment. The user account stays.',
  'administrators.saved': 'The roles of {name} were saved',
  'administrators.removed': '{name} is not an administrator any more',
  'administrators.everything': 'Everything',
  'administrators.permissions': '{count} permissions',
}
