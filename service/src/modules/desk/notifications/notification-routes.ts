import {
  changeNotifications,
  getNotifications,
  isPermitted,
  notificationDefaults,
  notificationKinds,
  notificationPermissions,
} from '@florin/contract/dashboard/index.ts';
import { failingHoursDefault } from '#modules/people/index.ts';
import { type Caller, type Route, route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { findNotifications, upsertNotifications } from './store.ts';

/** Each member chooses for themselves, in each environment (PEOPLE-14). */
export const notificationRoutes = ({ database }: Uses<'database'>): readonly Route[] => [
  route(getNotifications, async (_, caller) => {
    const member = memberOf(caller);
    const { merchantId, environment } = caller.tenant;
    const [row] = await database.tenant(merchantId, findNotifications, member.key);
    const preset = environment === 'PRODUCTION' ? notificationDefaults : [];
    return {
      kinds: [...(row?.kinds ?? preset)].filter((kind) => member.allowed.includes(kind)),
      allowed: member.allowed,
      failingHours: row?.failing_hours ?? failingHoursDefault,
    };
  }),
  route(changeNotifications, async ({ body }, caller) => {
    const { key, allowed } = memberOf(caller);
    const kinds = notificationKinds.filter(
      (kind) => body.kinds.includes(kind) && allowed.includes(kind),
    );
    const values = { ...key, kinds, failingHours: body.failingHours };
    await database.tenant(caller.tenant.merchantId, upsertNotifications, values);
    return {};
  }),
];

const memberOf = ({ tenant, by }: Caller) => {
  if (by.kind !== 'person') throw new Error('notifications are of a person');
  const { personId, role } = by;
  const allowed = notificationKinds.filter((kind) =>
    isPermitted(role, notificationPermissions[kind]),
  );
  return { key: { ...tenant, personId }, allowed };
};
