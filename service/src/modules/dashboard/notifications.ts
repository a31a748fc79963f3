import { limits } from '@florin/contract';
import {
  changeNotifications,
  getNotifications,
  isPermitted,
  notificationDefaults,
  notificationKinds,
  notificationPermissions,
  roles,
} from '@florin/contract/dashboard/index.ts';
import { failingHoursDefault } from '#modules/people/index.ts';
import { type Caller, type Route, route } from '#platform/http/route.ts';
import type { Job } from '#platform/jobs.ts';
import { runTogether } from '#platform/run-each.ts';
import type { Uses } from '#platform/tools.ts';
import {
  findFailingEndpoints,
  findNotices,
  findNotifications,
  mailFailingEndpoints,
  mailNotices,
  upsertNotifications,
} from './store/notifications.ts';

type MailTools = Uses<'database' | 'clock' | 'log'>;

const noticesEveryMs = 5_000;
const endpointsEveryMs = 60_000;
const noticesAtOnce = 100;
const endpointsAtOnce = 200;
const dayMs = 24 * 60 * 60 * 1000;

/** Mails to the members of a merchant about what happened to it (PEOPLE-14). */
export const mailMembers = (tools: MailTools): readonly Job[] => [
  { name: 'mailNotices', everyMs: noticesEveryMs, run: () => mailDueNotices(tools) },
  { name: 'mailFailingEndpoints', everyMs: endpointsEveryMs, run: () => mailFailing(tools) },
];

const mailDueNotices = async (tools: MailTools): Promise<number> => {
  const { database, clock } = tools;
  const values = valuesAt(clock.now());
  const due = await database.system(findNotices, { limit: noticesAtOnce });
  return runTogether(
    tools,
    'NOTICE',
    due,
    ({ notice_id }) => notice_id,
    (notices) =>
      database.system(mailNotices, {
        ...{ ...values, ...tenantsOf(notices) },
        noticeIds: notices.map(({ notice_id }) => notice_id),
      }),
  );
};

/** All of them, so many at a time. */
const mailFailing = async (tools: MailTools, after: string | null = null): Promise<number> => {
  const { database, clock } = tools;
  const now = clock.now();
  const windowEndsAt = new Date(now.getTime() + dayMs);
  const values = { ...valuesAt(now), kind: 'ENDPOINT_FAILING', now, windowEndsAt } as const;
  const failing = await database.system(findFailingEndpoints, { after, limit: endpointsAtOnce });
  await runTogether(
    tools,
    'ENDPOINT_MAIL',
    failing,
    ({ endpoint_id }) => endpoint_id,
    (endpoints) =>
      database.system(mailFailingEndpoints, {
        ...{ ...values, ...tenantsOf(endpoints) },
        endpointIds: endpoints.map(({ endpoint_id }) => endpoint_id),
      }),
  );
  const last = failing.length < endpointsAtOnce ? undefined : failing.at(-1);
  return last ? mailFailing(tools, last.endpoint_id) : 0;
};

const tenantsOf = (
  rows: readonly { readonly merchant_id: string; readonly environment: string }[],
) => ({
  merchantIds: rows.map(({ merchant_id }) => merchant_id),
  environments: rows.map(({ environment }) => environment),
});

const rolesOf = JSON.stringify(
  Object.fromEntries(
    Object.entries(notificationPermissions).map(([kind, permission]) => [
      kind,
      roles.filter((role) => isPermitted(role, permission)),
    ]),
  ),
);

const valuesAt = (now: Date) => ({
  roles: rolesOf,
  defaults: notificationDefaults,
  expiresAt: new Date(now.getTime() + limits.personMailRetentionDays * dayMs),
});

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
