/** The texts of messages in Dutch. */

import { backchannelMail, backchannelSms } from '../backchannel/nl.ts'
import type { MessageTexts } from '../message-texts.ts'
import { changeMails, changes } from '../owner-notices/nl.ts'

const CHANGE_PASSWORD =
  'Heb je hier niet om gevraagd? Dan is misschien iemand anders ingelogd op je account. Stel een nieuw wachtwoord in en deel deze code met niemand.'

export const messages: MessageTexts = {
  mail: {
    SignIn: {
      subject: 'Je inlogcode',
      lead: 'Gebruik deze code om in te loggen bij {{host}}.',
      unasked: 'Probeerde je niet in te loggen? Dan kun je deze e-mail negeren. Zonder de code kan niemand inloggen.',
    },
    Register: {
      subject: 'Je registratiecode',
      lead: 'Gebruik deze code om je account bij {{host}} aan te maken.',
      unasked:
        'Wilde je geen account aanmaken? Dan kun je deze e-mail negeren. Zonder de code wordt er geen account aangemaakt.',
    },
    ForgotPassword: {
      subject: 'Je code voor een nieuw wachtwoord',
      lead: 'Gebruik deze code om een nieuw wachtwoord in te stellen bij {{host}}.',
      unasked:
        'Heb je niet om een nieuw wachtwoord gevraagd? Dan kun je deze e-mail negeren. Je wachtwoord blijft hetzelfde.',
    },
    BindNewIdentifier: {
      subject: 'Je code om dit adres toe te voegen',
      lead: 'Gebruik deze code om dit adres toe te voegen aan je account bij {{host}}.',
      unasked:
        'Heb je hier niet om gevraagd? Dan kun je deze e-mail negeren. Zonder de code wordt het adres niet toegevoegd.',
    },
    MfaVerification: {
      subject: 'Je code voor verificatie in twee stappen',
      lead: 'Gebruik deze code om te bevestigen dat jij inlogt bij {{host}}.',
      unasked:
        'Heb je niet geprobeerd in te loggen? Dan kent misschien iemand anders je wachtwoord. Stel een nieuw wachtwoord in en deel deze code met niemand.',
    },
    BindMfa: {
      subject: 'Je code om verificatie in twee stappen in te stellen',
      lead: 'Gebruik deze code om verificatie in twee stappen in te stellen voor je account bij {{host}}.',
      unasked: CHANGE_PASSWORD,
    },
    UserPermissionValidation: {
      subject: 'Je code om een wijziging te bevestigen',
      lead: 'Gebruik deze code om een wijziging van je account bij {{host}} te bevestigen.',
      unasked: CHANGE_PASSWORD,
    },
    MagicLink: {
      subject: 'Je link om in te loggen',
      lead: 'Gebruik deze link om in te loggen bij {{host}}.',
      action: 'Inloggen',
      unasked:
        'Heb je niet geprobeerd in te loggen? Dan kun je deze e-mail negeren. Stuur hem niet door: wie de link heeft, kan als jou inloggen.',
    },
    OrganizationInvitation: {
      subject: 'Je bent uitgenodigd',
      lead: 'Je bent uitgenodigd om lid te worden van {{organizationName}} bij {{host}}.',
      action: 'Uitnodiging bekijken',
      unasked:
        'Had je deze uitnodiging niet verwacht? Dan kun je deze e-mail negeren. Je wordt alleen lid als je de uitnodiging accepteert.',
    },
    BackchannelAuthentication: backchannelMail,
    ...changeMails,
    Generic: {
      subject: 'Je verificatiecode',
      lead: 'Gebruik deze code bij {{host}}.',
      unasked: 'Had je deze e-mail niet verwacht? Dan kun je hem negeren.',
    },
  },
  changes,
  codeLife: 'De code is {{duration}} geldig.',
  codeNote: 'Deel de code met niemand. Wij vragen er nooit om.',
  linkLife: 'De link is {{duration}} geldig.',
  linkFallback: 'Werkt de knop niet? Kopieer dan dit adres naar je browser:',
  open: 'Doorgaan',
  sms: {
    SignIn: '{{code}} is je code om in te loggen bij {{host}}. Deel de code met niemand.',
    Register: '{{code}} is je code om een account aan te maken bij {{host}}. Deel de code met niemand.',
    ForgotPassword: '{{code}} is je code voor een nieuw wachtwoord bij {{host}}. Deel de code met niemand.',
    BindNewIdentifier: '{{code}} is je code om dit nummer toe te voegen bij {{host}}. Deel de code met niemand.',
    MfaVerification: '{{code}} is je code om je login te bevestigen bij {{host}}. Deel de code met niemand.',
    BindMfa: '{{code}} is je code om verificatie in twee stappen in te stellen bij {{host}}. Deel hem met niemand.',
    UserPermissionValidation:
      '{{code}} is je code om een wijziging te bevestigen bij {{host}}. Deel de code met niemand.',
    BackchannelAuthentication: backchannelSms,
    MagicLink: 'Je link om in te loggen bij {{host}}: {{link}}',
    AccountDeletion: 'Je account bij {{host}} wordt op {{date}} verwijderd. Behouden: {{link}}',
    OrganizationInvitation: 'Je bent uitgenodigd voor {{organizationName}} bij {{host}}: {{link}}',
    Generic: '{{code}} is je verificatiecode bij {{host}}. Deel de code met niemand.',
  },
}
