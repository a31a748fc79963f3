import Type from 'typebox';
import { oneLine, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';

export const emailAddress = () => Type.String({ format: 'email', maxLength: limits.emailLength });
export const newPassword = () =>
  Type.String({ minLength: limits.passwordLengthMin, maxLength: limits.passwordLengthMax });
/** As a person types it: never long enough to cost time. */
export const typedPassword = () =>
  Type.String({ minLength: 1, maxLength: limits.passwordLengthMax });
const personName = () =>
  Type.String({ minLength: 1, maxLength: limits.personNameLength, ...oneLine });

/** What a browser's `navigator.credentials` gives and takes, as JSON. */
export const passkeyJson = () => Type.Record(Type.String(), Type.Unknown());

const done = Type.Object({});
const rules = ['PEOPLE-1'] as const;

export const readSignIn = operation({
  id: 'readSignIn',
  route: 'GET /dashboard/api/sign-in',
  access: 'visitor',
  summary: 'Read how people sign in here.',
  rules: ['PEOPLE-2'],
  reply: Type.Object({
    operatorName: Type.String(),
    openSignUp: Type.Boolean({ description: 'False: people come by invite only.' }),
    mail: Type.Enum(['SENT', 'CAUGHT', 'NONE'], {
      description: 'CAUGHT: the front page of this machine shows mails. NONE: they wait unread.',
    }),
  }),
});

export const signUp = operation({
  id: 'signUp',
  route: 'POST /dashboard/api/sign-up',
  access: 'visitor',
  summary: 'Sign up, with a business of your own in the sandbox.',
  rules: ['PEOPLE-2'],
  body: Type.Object({
    name: personName(),
    email: emailAddress(),
    password: newPassword(),
    businessName: Type.String({ maxLength: limits.businessNameLength, ...oneLine }),
  }),
  reply: Type.Object({ merchantId: uuid() }),
  failsWith: ['notEnabled', 'conflict'],
});

export const signIn = operation({
  id: 'signIn',
  route: 'POST /dashboard/api/sign-in',
  access: 'visitor',
  summary: 'Sign in with e-mail address and password.',
  rules,
  body: Type.Object({ email: emailAddress(), password: typedPassword() }),
  reply: Type.Object({
    codeRequired: Type.Boolean({ description: 'The code of the authenticator app comes next.' }),
  }),
  failsWith: ['wrongSignIn'],
});

export const signInWithCode = operation({
  id: 'signInWithCode',
  route: 'POST /dashboard/api/sign-in/code',
  access: 'visitor',
  summary: 'Complete a sign-in with the code of an authenticator app, or a recovery code.',
  rules,
  body: Type.Object({ code: Type.String({ minLength: 6, maxLength: 20 }) }),
  reply: done,
  failsWith: ['wrongSignIn'],
});

export const startPasskeySignIn = operation({
  id: 'startPasskeySignIn',
  route: 'POST /dashboard/api/sign-in/passkey/options',
  access: 'visitor',
  summary: 'Ask for a passkey.',
  rules,
  reply: Type.Object({ options: passkeyJson() }),
});

/** Also confirms who is signed in, as a step up: the session is then a new one. */
export const signInWithPasskey = operation({
  id: 'signInWithPasskey',
  route: 'POST /dashboard/api/sign-in/passkey',
  access: 'visitor',
  summary: 'Sign in with a passkey.',
  rules,
  body: Type.Object({ response: passkeyJson() }),
  reply: done,
  failsWith: ['wrongSignIn'],
});

export const signOut = operation({
  id: 'signOut',
  route: 'POST /dashboard/api/sign-out',
  access: 'person',
  summary: 'Sign out: this session ends.',
  rules,
  reply: done,
});

/** Exactly one of the two. */
export const stepUp = operation({
  id: 'stepUp',
  route: 'POST /dashboard/api/step-up',
  access: 'person',
  summary: 'Confirm that it is you, by password or by code.',
  rules: ['PEOPLE-6'],
  body: Type.Object({
    password: Type.Optional(typedPassword()),
    code: Type.Optional(Type.String({ minLength: 6, maxLength: 20 })),
  }),
  reply: Type.Object({ steppedUpUntil: Type.String() }),
  failsWith: ['wrongSignIn'],
});

const token = () => Type.String({ minLength: 1, maxLength: limits.linkTokenLength });
const ofAddress = Type.Object({ email: Type.String({ description: 'Whose link it was.' }) });

export const sendVerification = operation({
  id: 'sendVerification',
  route: 'POST /dashboard/api/me/verification',
  access: 'person',
  summary: 'Have the link mailed that proves your address.',
  rules: ['PEOPLE-11'],
  reply: done,
});

export const verifyEmail = operation({
  id: 'verifyEmail',
  route: 'POST /dashboard/api/verify-email',
  access: 'visitor',
  summary: 'Prove an address by the link that was mailed to it.',
  rules: ['PEOPLE-11'],
  body: Type.Object({ token: token() }),
  reply: ofAddress,
  failsWith: ['notFound'],
});

/** The same answer whether or not somebody has signed up with the address. */
export const requestNewPassword = operation({
  id: 'requestNewPassword',
  route: 'POST /dashboard/api/new-password/request',
  access: 'visitor',
  summary: 'Have a link for a new password mailed.',
  rules: ['PEOPLE-12'],
  body: Type.Object({ email: emailAddress() }),
  reply: done,
});

/** Every session of the person ends. */
export const setNewPassword = operation({
  id: 'setNewPassword',
  route: 'POST /dashboard/api/new-password',
  access: 'visitor',
  summary: 'Choose a new password by the link that was mailed.',
  rules: ['PEOPLE-12'],
  body: Type.Object({ token: token(), password: newPassword() }),
  reply: ofAddress,
  failsWith: ['notFound'],
});
