import Type from 'typebox';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import type { Permission } from './permissions.ts';

/** What a member may have mailed, with the permission that it shows something of. */
export const notificationPermissions = {
  ENDPOINT_FAILING: 'webhooks.read',
  PAYOUT_PAID: 'payouts.read',
  PAYOUT_FAILED: 'payouts.read',
  REFUND_WAITS: 'payments.refund',
  REFUND_PROPOSED: 'payments.refund',
  DISPUTE: 'money.read',
  SUSPENSION: 'settings.read',
} as const satisfies Readonly<Record<string, Permission>>;

export type NotificationKind = keyof typeof notificationPermissions;

export const notificationKinds = Object.keys(
  notificationPermissions,
) as readonly NotificationKind[];

/** Until a member chooses: what somebody has to act on, in production. */
export const notificationDefaults: readonly NotificationKind[] = [
  'ENDPOINT_FAILING',
  'PAYOUT_FAILED',
  'REFUND_WAITS',
  'REFUND_PROPOSED',
  'DISPUTE',
  'SUSPENSION',
];

const kinds = () =>
  Type.Array(Type.Enum([...notificationKinds]), { maxItems: notificationKinds.length });
const failingHours = () =>
  Type.Integer({
    minimum: 1,
    maximum: limits.failingHoursMax,
    description: 'How long an endpoint fails before the first mail; then one a day.',
  });
const rules = ['PEOPLE-14'] as const;

export const getNotifications = operation({
  id: 'getNotifications',
  route: 'GET /notifications',
  access: 'member',
  summary: 'Read which mails you get about the business.',
  rules,
  reply: Type.Object({
    kinds: kinds(),
    allowed: Type.Array(Type.Enum([...notificationKinds]), {
      description: 'What your role may know of.',
    }),
    failingHours: failingHours(),
  }),
});

export const changeNotifications = operation({
  id: 'changeNotifications',
  route: 'PUT /notifications',
  access: 'member',
  summary: 'Choose which mails you get about the business.',
  rules,
  body: Type.Object({ kinds: kinds(), failingHours: failingHours() }),
  reply: Type.Object({}),
});
