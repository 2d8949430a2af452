/** Hebrew: what owners of accounts are told of changes, and the page where they say that it was not them. */

const notMe = {
  action: 'זה לא הייתי אני',
  unasked: 'אם אלה הייתם אתם, אין צורך לעשות דבר. אם לא, לחצו על הכפתור: הוא מנתק את כל מי שמחובר לחשבון שלכם.',
}

/** Phrases of the page. */
export const notMePhrases = {
  notMe: 'זה לא הייתי אני',
  notMeTitle: 'אלה לא הייתם אתם?',
  notMeLead: 'אם מישהו אחר ביצע את השינוי, נתקו עכשיו את כולם מהחשבון שלכם.',
  notMeHint: 'פעולה זו מסיימת את כל ההתחברויות ואת הגישה של כל היישומים ואסימוני הגישה האישיים. אי אפשר לבטל אותה.',
  notMeGone: 'הקישור הזה אינו תקף עוד. אפשר להשתמש בו פעם אחת, בתוך שבעה ימים.',
  notMeDone: 'כולם נותקו',
  notMeDoneLead: 'איש אינו מחובר עוד לחשבון שלכם, ולאף יישום אין גישה אליו.',
  notMeReset: 'הסיסמה שלכם אינה תקפה עוד. בכניסה הבאה בחרו באפשרות של שכחת סיסמה והגדירו סיסמה חדשה.',
  notMeContact: 'אם כתובת הדוא״ל או הסיסמה שלכם שונו, פנו לתמיכה של השירות הזה.',
}

/** The mails. */
export const changeMails = {
  AccountDeletion: {
    subject: 'החשבון שלכם יימחק',
    lead: 'החשבון שלכם ב-{{host}} יימחק ב-{{date}}, כפי שביקשתם. כדי לשמור עליו, השתמשו בקישור הזה או היכנסו לפני כן.',
    action: 'לשמור על החשבון שלי',
    unasked: 'אם לא ביקשתם זאת, ייתכן שמישהו אחר יודע את הסיסמה שלכם. שמרו על החשבון וקבעו סיסמה חדשה.',
  },
  AccountChanged: { subject: 'החשבון שלכם שונה', lead: 'החשבון שלכם ב-{{host}} שונה.', ...notMe },
  NewSignIn: { subject: 'כניסה חדשה לחשבון שלכם', lead: 'הייתה כניסה חדשה לחשבון שלכם ב-{{host}}.', ...notMe },
}

/** What was changed. */
export const changes = {
  passwordChanged: 'הסיסמה של החשבון שלכם ב-{{host}} שונתה.',
  emailChanged: 'כתובת הדוא״ל של החשבון שלכם ב-{{host}} שונתה.',
  phoneChanged: 'מספר הטלפון של החשבון שלכם ב-{{host}} שונה.',
  factorAdded: 'נוסף אמצעי לאימות הדו-שלבי של החשבון שלכם ב-{{host}}.',
  factorRemoved: 'הוסר אמצעי מהאימות הדו-שלבי של החשבון שלכם ב-{{host}}.',
  backupCodesCreated: 'נוצרו קודי גיבוי חדשים לחשבון שלכם ב-{{host}}.',
  identityLinked: 'החשבון שלכם ב-{{host}} קושר לחשבון בשירות אחר.',
  identityUnlinked: 'הקישור בין החשבון שלכם ב-{{host}} לחשבון בשירות אחר הוסר.',
  accessTokenCreated: 'נוצר אסימון גישה אישי לחשבון שלכם ב-{{host}}.',
  newSignIn: 'הייתה כניסה לחשבון שלכם ב-{{host}} מדפדפן חדש או ממקום חדש.',
}
