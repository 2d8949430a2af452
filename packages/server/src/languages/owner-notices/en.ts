/** English: what owners of accounts are told of changes, and the page where they say that it was not them. */

const notMe = {
  action: 'This was not me',
  unasked:
    'If it was you, there is nothing to do. If it was not, use the button: it signs out everyone who is signed in to your account.',
}

/** Phrases of the page. */
export const notMePhrases = {
  notMe: 'This was not me',
  notMeTitle: 'Was this not you?',
  notMeLead: 'If someone else made this change, sign everyone out of your account now.',
  notMeHint:
    'This ends all sessions and the access of all applications and personal access tokens. It cannot be undone.',
  notMeGone: 'This link is no longer valid. It can be used once, within seven days.',
  notMeDone: 'Everyone was signed out',
  notMeDoneLead: 'No one is signed in to your account any more, and no application has access to it.',
  notMeReset: 'Your password no longer works. At the next sign-in choose “Forgot password” and set a new one.',
  notMeCode:
    'Your password no longer works. We have sent a code to your email address: enter it here with a new password.',
  notMeFactorCode:
    'We have sent a code to your email address. Enter it to remove the step that was added to your two-step verification.',
  notMeFactorGone: 'The step was removed from your two-step verification.',
  notMeContact: 'If your email address or your password was changed, ask the support of this service for help.',
}

/** The mails. */
export const changeMails = {
  AccountDeletion: {
    subject: 'Your account will be deleted',
    lead: 'Your account at {{host}} will be deleted on {{date}}, as you asked. To keep it, use this link or sign in before then.',
    action: 'Keep my account',
    unasked:
      'If you did not ask for this, someone else may know your password. Keep your account, and set a new password.',
  },
  AccountChanged: { subject: 'Your account was changed', lead: 'Your account at {{host}} was changed.', ...notMe },
  NewSignIn: {
    subject: 'New sign-in to your account',
    lead: 'There was a new sign-in to your account at {{host}}.',
    ...notMe,
  },
}

/** What was changed. */
export const changes = {
  passwordChanged: 'The password of your account at {{host}} was changed.',
  emailChanged: 'The email address of your account at {{host}} was changed.',
  phoneChanged: 'The phone number of your account at {{host}} was changed.',
  factorAdded: 'A step was added to the two-step verification of your account at {{host}}.',
  factorRemoved: 'A step was removed from the two-step verification of your account at {{host}}.',
  backupCodesCreated: 'New backup codes were created for your account at {{host}}.',
  identityLinked: 'Your account at {{host}} was linked to an account at another service.',
  identityUnlinked: 'The link of your account at {{host}} to an account at another service was removed.',
  accessTokenCreated: 'A personal access token was created for your account at {{host}}.',
  newSignIn: 'Your account at {{host}} was signed in to from a new browser or a new place.',
}
