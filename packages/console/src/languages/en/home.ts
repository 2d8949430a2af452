/** Phrases of the first screen. */
export const home = {
  'home.title': 'Hello, {name}',
  'home.recent': 'What happens now',
  'home.allEntries': 'Open the log',

  'first.title': 'First steps',
  'first.text': 'Three steps to the first user who signs in.',
  'first.done': 'Done',
  'first.administrator': 'An administrator looks after this server: you',
  'first.application': 'Register your application',
  'first.applicationText': 'A website, an app or a service that lets users sign in here.',
  'first.signIn': 'Sign in to your application',
  'first.signInText': 'Paste the code into your application, start it, and sign in with a new account.',
  'first.signedIn': 'A user has signed in',
  'first.code': 'Code for {name}',
  'first.waiting': 'Waiting for your first sign-in…',
  'first.finished': 'It works. Users can sign in to your application.',
  'applications.create': 'Create application',
}
