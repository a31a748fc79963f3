import { limits } from '@florin/contract';
import {
  isPermitted,
  notificationDefaults,
  notificationPermissions,
  roles,
} from '@florin/contract/dashboard/index.ts';
import type { Job } from '#platform/jobs.ts';
import type { Uses } from '#platform/tools.ts';
import { mailFailingEndpoints, mailNotices } from './store.ts';

type MailTools = Uses<'database' | 'clock'>;

const noticesEveryMs = 5_000;
const endpointsEveryMs = 60_000;
const noticesAtOnce = 100;
const dayMs = 24 * 60 * 60 * 1000;

/** Mails to the members of a merchant about what happened to it (PEOPLE-14). */
export const mailMembers = (tools: MailTools): readonly Job[] => [
  { name: 'mailNotices', everyMs: noticesEveryMs, run: () => mailDueNotices(tools) },
  { name: 'mailFailingEndpoints', everyMs: endpointsEveryMs, run: () => mailFailing(tools) },
];

const mailDueNotices = async (tools: MailTools): Promise<number> => {
  const values = { ...valuesAt(tools.clock.now()), limit: noticesAtOnce };
  const [row] = await tools.database.system(mailNotices, values);
  return Number(row?.taken ?? 0);
};

const mailFailing = async ({ database, clock }: MailTools): Promise<number> => {
  const now = clock.now();
  const [row] = await database.system(mailFailingEndpoints, {
    ...valuesAt(now),
    ...{ kind: 'ENDPOINT_FAILING', now, windowEndsAt: new Date(now.getTime() + dayMs) },
  });
  return Number(row?.mailed ?? 0);
};

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
