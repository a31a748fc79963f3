import { limits } from '@florin/contract';
import {
  changeNotifications,
  getNotifications,
  isPermitted,
  type NotificationKind,
  notificationDefaults,
  notificationKinds,
  notificationPermissions,
  roles,
} from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import {
  allowanceSql,
  failingHoursDefault,
  memberMailsSql,
  readersSql,
} from '#modules/people/index.ts';
import { ofEachEnvironment, ofShare } from '#platform/database/of-each-environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { isNotPutOff } from '#platform/database/stuck-rows.ts';
import { type Caller, memberOf, type Route, route } from '#platform/http/route.ts';
import type { Job } from '#platform/jobs.ts';
import { runTogether } from '#platform/run-each.ts';
import type { Uses } from '#platform/tools.ts';

type OfPerson = Tenant & { readonly personId: string };

type NotificationRow = {
  readonly kinds: readonly NotificationKind[];
  readonly failing_hours: number;
};

const findNotifications = statement<OfPerson, NotificationRow>(
  'member_notification_find',
  sql('merchantId', 'environment', 'personId')`
   select kinds, failing_hours from member_notification
   where merchant_id = :merchantId and environment = :environment and person_id = :personId::uuid`,
);

const upsertNotifications = statement<
  OfPerson & { readonly kinds: readonly string[]; readonly failingHours: number },
  never
>(
  'member_notification_upsert',
  sql('merchantId', 'environment', 'personId', 'kinds', 'failingHours')`
   insert into member_notification (merchant_id, environment, person_id, kinds, failing_hours)
   select merchant_id, :environment::text, person_id, :kinds::text[], :failingHours::smallint
   from membership where merchant_id = :merchantId and person_id = :personId::uuid
   on conflict (merchant_id, environment, person_id) do update set
     kinds = excluded.kinds, failing_hours = excluded.failing_hours, updated_at = clock_timestamp()`,
  { guardedBy: 'primary key of merchant, environment and person: the later write wins' },
);

/** Each member chooses for themselves, in each environment (PEOPLE-14). */
export const notificationRoutes = ({ database }: Uses<'database'>): readonly Route[] => [
  route(getNotifications, async (_, caller) => {
    const { key, allowed } = choiceOf(caller);
    const { merchantId, environment } = caller.tenant;
    const [row] = await database.tenant(merchantId, findNotifications, key);
    const preset = environment === 'PRODUCTION' ? notificationDefaults : [];
    return {
      kinds: [...(row?.kinds ?? preset)].filter((kind) => allowed.includes(kind)),
      allowed,
      failingHours: row?.failing_hours ?? failingHoursDefault,
    };
  }),
  route(changeNotifications, async ({ body }, caller) => {
    const { key, allowed } = choiceOf(caller);
    const kinds = notificationKinds.filter(
      (kind) => body.kinds.includes(kind) && allowed.includes(kind),
    );
    const values = { ...key, kinds, failingHours: body.failingHours };
    await database.tenant(caller.tenant.merchantId, upsertNotifications, values);
    return {};
  }),
];

const choiceOf = (caller: Caller) => {
  const { personId, role } = memberOf(caller);
  const allowed = notificationKinds.filter((kind) =>
    isPermitted(role, notificationPermissions[kind]),
  );
  return { key: { ...caller.tenant, personId }, allowed };
};

type OfOne = { readonly merchant_id: string; readonly environment: string };
type OfMany = {
  readonly merchantIds: readonly string[];
  readonly environments: readonly string[];
};

type MailValues = OfMany & {
  /** The roles that may know of each kind, as JSON. */
  readonly roles: string;
  readonly defaults: readonly string[];
  readonly expiresAt: Date;
};

type DueNotice = OfOne & { readonly notice_id: string };

const findNotices = statement<{ readonly limit: number }, DueNotice>(
  'member_notice_due',
  ofEachEnvironment(sql('limit')`
   select n.merchant_id, n.environment, n.notice_id from member_notice n
   where ${ofShare('n')} and ${isNotPutOff('n', 'notice_id', 'NOTICE')}
   order by n.created_at limit :limit`),
);

/** Notices become mails in the statement that deletes them: each once. */
const mailNotices = statement<
  MailValues & { readonly noticeIds: readonly string[] },
  { readonly taken: bigint }
>(
  'member_notice_mail',
  sql('merchantIds', 'environments', 'noticeIds')`
   with due as materialized (
     select n.merchant_id, n.environment, n.notice_id, n.kind, n.detail
     from unnest(:merchantIds::uuid[], :environments::text[], :noticeIds::uuid[])
       as t (merchant_id, environment, notice_id)
     join member_notice n on n.merchant_id = t.merchant_id and n.environment = t.environment
       and n.notice_id = t.notice_id
     order by n.merchant_id, n.environment, n.notice_id for update of n),
   gone as (
     delete from member_notice n using due d
     where n.merchant_id = d.merchant_id and n.environment = d.environment
       and n.notice_id = d.notice_id),
   ${readersSql('due')},
   ${memberMailsSql('reader r')}
   select count(*) as taken from due`,
  { guardedBy: 'locked in order and deleted in the same statement: a notice is mailed once' },
);

type FailingEndpoint = OfOne & { readonly endpoint_id: string };

const findFailingEndpoints = statement<
  { readonly after: string | null; readonly limit: number },
  FailingEndpoint
>(
  'webhook_endpoint_failing',
  sql('after', 'limit')`
   select h.merchant_id, h.environment, h.endpoint_id
   from webhook_endpoint_health h
   join webhook_endpoint w on w.merchant_id = h.merchant_id and w.environment = h.environment
     and w.endpoint_id = h.endpoint_id and not w.is_paused and w.deleted_at is null
   where h.failing_since is not null and (:after::uuid is null or h.endpoint_id > :after::uuid)
     and ${isNotPutOff('h', 'endpoint_id', 'ENDPOINT_MAIL')}
   order by h.endpoint_id limit :limit`,
);

/**
 * Endpoints that have failed for as long as a member wants to wait. The allowance of person and endpoint lets
 * one mail through until its window ends.
 */
const mailFailingEndpoints = statement<
  MailValues & {
    readonly endpointIds: readonly string[];
    readonly kind: 'ENDPOINT_FAILING';
    readonly now: Date;
    readonly windowEndsAt: Date;
  },
  { readonly mailed: bigint }
>(
  'member_notice_failing',
  sql('kind', 'merchantIds', 'environments', 'endpointIds')`
   with failing as materialized (
     select h.merchant_id, h.environment, h.endpoint_id, :kind::text as kind,
       jsonb_build_object('endpointId', h.endpoint_id, 'url', w.url, 'lastError', h.last_error,
         'since', to_char(h.failing_since at time zone 'UTC', 'YYYY-MM-DD HH24:MI')) as detail,
       statement_timestamp() + coalesce(c.offset_ms, 0) * interval '1 millisecond'
         - h.failing_since as age
     from unnest(:merchantIds::uuid[], :environments::text[], :endpointIds::uuid[])
       as t (merchant_id, environment, endpoint_id)
     join webhook_endpoint_health h on h.merchant_id = t.merchant_id
       and h.environment = t.environment and h.endpoint_id = t.endpoint_id
     join webhook_endpoint w on w.merchant_id = h.merchant_id and w.environment = h.environment
       and w.endpoint_id = h.endpoint_id
     left join tenant_clock c on c.merchant_id = h.merchant_id and c.environment = h.environment
     where h.failing_since is not null),
   ${readersSql('failing', ['endpoint_id', 'age'])},
   wanted as materialized (
     select *, person_id || ' ' || endpoint_id as subject from reader
     where age >= failing_hours * interval '1 hour'),
   allowed as (${allowanceSql('wanted.subject', 'wanted', 1)}),
   ${memberMailsSql('wanted r where r.subject in (select subject from allowed)')}
   select count(*) as mailed from mailed`,
  { guardedBy: 'mail_allowance row is locked by the upsert: one mail until the window ends' },
);

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
