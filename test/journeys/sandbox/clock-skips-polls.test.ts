import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { listCases } from '../../../service/src/modules/operator-cases/index.ts';
import { isLongRun } from '../../harness/is-long-run.ts';
import { longTest } from '../../harness/long-test.ts';
import { type Journey, openJourney } from '../../harness/open-journey.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney();
});
afterAll(() => journey.close());
afterEach(() => {
  vi.restoreAllMocks();
});

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const ends = {
  'settled-late': 'COMPLETED ACSC',
  'rejected-settled': 'FAILED RJCT',
  stuck: 'FAILED RJCT',
  'pending-forever': 'PENDING',
  approve: 'COMPLETED ACSC',
} as const;
const logins = Object.keys(ends) as (keyof typeof ends)[];
const heldPayments = isLongRun ? 20 : 3;
const skipped = 3 * hour;

const make = async (): Promise<readonly string[]> => {
  const ids: string[] = [];
  for (const login of logins) {
    const id = await journey.create({ expiresIn: day });
    await journey.payer.pay(id, login);
    ids.push(id);
  }
  return ids;
};

/** The events of each payment, with the minutes since it was created. */
const listEvents = (ids: readonly string[]) =>
  Promise.all(
    ids.map(async (id) => {
      const rows = await journey.sandbox.tools.database.system<
        { id: string },
        { event: string; minutes: number }
      >(
        {
          name: 'test_event_times',
          text: `select concat_ws(' ', b.body::json->>'status',
              b.body::json->'statusDetails'->'isoStatus'->>'code') as event,
              round(extract(epoch from e.occurred_at - r.created_at) / 60)::int as minutes
            from event e join event_body b on b.event_id = e.event_id
            join payment_request r on r.payment_request_id = e.resource_id
            where e.resource_id = $1::uuid order by e.sequence`,
          valueNames: ['id'],
        },
        { id },
      );
      return rows;
    }),
  );

const spyOnPolls = () => vi.spyOn(journey.sandbox.rails.bankRails.need('SANDBOX'), 'readPayment');

longTest(
  'events are the same at the same times whether or not useless polls are skipped',
  async () => {
    const slow = await make();
    vi.spyOn(journey.sandbox.rails.simulatorRail, 'forecast').mockResolvedValue([]);
    const slowly = spyOnPolls();
    await journey.advance(skipped);
    const polls = slowly.mock.calls.length;
    vi.restoreAllMocks();
    const quick = await make();
    const quickly = spyOnPolls();
    await journey.advance(skipped);
    expect(quickly.mock.calls.length).toBeLessThan(polls / 4);
    const [before, now] = [await listEvents(slow), await listEvents(quick)];
    expect(before.map((events) => events.map((event) => event.event))).toEqual(
      now.map((events) => events.map((event) => event.event)),
    );
    for (const [at, events] of before.entries())
      for (const [each, event] of events.entries())
        expect(Math.abs(event.minutes - (now[at]?.[each]?.minutes ?? NaN))).toBeLessThanOrEqual(2);
    expect(now.map((events) => events.at(-1)?.event)).toEqual(Object.values(ends));
  },
  150_000,
);

test('thirty days with held payments take few polls, which go on daily', async () => {
  const made = await Promise.all(
    Array.from({ length: heldPayments }, () => journey.create({ expiresIn: day })),
  );
  await Promise.all(made.map((id) => journey.payer.pay(id, 'pending-forever')));
  const polls = spyOnPolls();
  await journey.advance(30 * day);
  // The last poll of the first day, the one that alerts the operator, and the final one.
  expect(polls.mock.calls.length).toBeLessThan(heldPayments * 8);
  for (const id of made) expect(await journey.standing(id)).toBe('PENDING PDNG');
  const left = await journey.sandbox.tools.database.system<
    object,
    { open: number; alerted: number }
  >(
    {
      name: 'test_polled_to_the_end',
      text: `select (select count(*)::int from attempt_poll) as open,
        count(*) filter (where operator_alerted_at is not null)::int as alerted
        from attempt where status = 'PENDING'`,
      valueNames: [],
    },
    {},
  );
  // A payment that a bank holds is polled daily, without end (BANK-6).
  // The longer run leaves two more by its first test.
  const held = isLongRun ? heldPayments + 2 : heldPayments;
  expect(left).toEqual([{ open: held, alerted: held }]);
  const cases = await listCases(journey.sandbox.tools, 'OPEN');
  expect(cases.map(({ kind }) => kind)).toEqual(Array(held).fill('PAYMENT_PENDING_LONG'));
}, 150_000);
