import Type from 'typebox';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { emailAddress, newPassword } from './sign-in.ts';

const done = Type.Object({});
const token = () => Type.String({ minLength: 1, maxLength: limits.linkTokenLength });
const ofAddress = Type.Object({ email: Type.String({ description: 'Whose link it was.' }) });

export const sendVerification = operation({
  id: 'sendVerification',
  method: 'POST',
  path: '/dashboard/api/me/verification',
  access: 'person',
  summary: 'Have the link mailed that proves your address.',
  rules: ['PEOPLE-11'],
  reply: done,
  failsWith: [],
});

export const verifyEmail = operation({
  id: 'verifyEmail',
  method: 'POST',
  path: '/dashboard/api/verify-email',
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
  method: 'POST',
  path: '/dashboard/api/new-password/request',
  access: 'visitor',
  summary: 'Have a link for a new password mailed.',
  rules: ['PEOPLE-12'],
  body: Type.Object({ email: emailAddress() }),
  reply: done,
  failsWith: [],
});

/** Every session of the person ends. */
export const setNewPassword = operation({
  id: 'setNewPassword',
  method: 'POST',
  path: '/dashboard/api/new-password',
  access: 'visitor',
  summary: 'Choose a new password by the link that was mailed.',
  rules: ['PEOPLE-12'],
  body: Type.Object({ token: token(), password: newPassword() }),
  reply: ofAddress,
  failsWith: ['notFound'],
});
