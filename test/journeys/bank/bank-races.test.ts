import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pollBank } from '../../../service/src/modules/payments/index.ts';
import { isLongRun } from '../../harness/is-long-run.ts';
import { longTest } from '../../harness/long-test.ts';
import { type Journey, openJourney } from '../../harness/open-journey.ts';
import { waitUntil } from '../../harness/wait-until.ts';

let journey: Journey;

beforeAll(async () => {
  journey = await openJourney();
});
afterAll(() => journey.close());

const minute = 60_000;
const racers = isLongRun ? 20 : 4;
const halfMinute = 30_000;
const times = <Value>(count: number, make: () => Promise<Value>): Promise<Value[]> =>
  Promise.all(Array.from({ length: count }, make));

const paymentsAtBank = async (id: string): Promise<number> => {
  const lines = await journey.control.payments();
  const references = (await journey.attemptsOf(id)).map((attempt) => attempt.rail_reference);
  return lines.filter(({ consentId }) => references.includes(consentId)).length;
};

const countOf = (all: readonly string[], wanted: string): number =>
  all.filter((each) => each === wanted).length;

describe('concurrent attempts of one request', () => {
  test('of two tabs that are approved the first to return pays', async () => {
    const id = await journey.create();
    const [first, second] = [await journey.payer.start(id), await journey.payer.start(id)];
    const one = await journey.payer.approve(first);
    const other = await journey.payer.approve(second);
    await journey.payer.comeBack(one ?? {});
    await journey.payer.comeBack(other ?? {});
    await journey.becomes(id, 'COMPLETED AC.*');
    expect(await paymentsAtBank(id)).toBe(1);
  });

  longTest('two tabs that return at the same moment make one payment', async () => {
    const id = await journey.create();
    const starts = [await journey.payer.start(id), await journey.payer.start(id)];
    const back = await Promise.all(starts.map((address) => journey.payer.approve(address)));
    await Promise.all(back.map((parameters) => journey.payer.comeBack(parameters ?? {})));
    await journey.becomes(id, 'COMPLETED AC.*');
    expect(await paymentsAtBank(id)).toBe(1);
    expect(countOf(await journey.eventsOf(id), 'PENDING')).toBe(1);
  });

  test(`${racers} tabs that start at the same moment see no error, and one pays`, async () => {
    const id = await journey.create();
    const addresses = await times(racers, () => journey.payer.start(id));
    for (const address of addresses) expect(address).toMatch(/^(http|\/pay\?)/);
    await journey.payer.pay(id);
    await journey.becomes(id, 'COMPLETED AC.*');
    expect(await paymentsAtBank(id)).toBe(1);
    const current = await journey.attemptsOf(id);
    const superseded = current.filter((attempt) => attempt.ended_reason === 'SUPERSEDED');
    expect(superseded).toHaveLength(current.length - 1);
  });

  longTest('of six approved starts the first to return is submitted, and no other', async () => {
    const id = await journey.create();
    const backs = [];
    for (let renewal = 0; renewal < 6; renewal += 1)
      backs.push(await journey.payer.approve(await journey.payer.start(id)));
    for (const back of backs) expect(back).not.toBeNull();
    const [last, ...others] = backs.toReversed();
    await journey.payer.comeBack(others[0] ?? {});
    await journey.becomes(id, 'COMPLETED AC.*');
    for (const back of [last, ...others])
      expect(await journey.payer.comeBack(back ?? {})).toMatchObject({ status: 303 });
    expect(await paymentsAtBank(id)).toBe(1);
    const attempts = await journey.attemptsOf(id);
    expect(attempts.map((attempt) => attempt.ended_reason ?? attempt.status)).toEqual([
      ...Array.from({ length: 4 }, () => 'SUPERSEDED'),
      'COMPLETED',
      'SUPERSEDED',
    ]);
  });

  test(`${racers} returns and as many polls at once complete once`, async () => {
    const id = await journey.create();
    const back = (await journey.payer.approve(await journey.payer.start(id))) ?? {};
    const { tools, rails, tenant } = journey.sandbox;
    const rail = rails.bankRails.need('SANDBOX');
    const attemptId = await idOfAttempt(id);
    const poll = async () => {
      await waitUntil(
        async () => (await journey.attemptsOf(id))[0]?.status !== 'AWAITING_AUTHORIZATION',
      );
      for (let poll = 0; poll < 5; poll += 1) await pollBank(tools, rail, tenant, id, attemptId);
    };
    const answers = await Promise.all([
      times(racers, () => journey.payer.comeBack(back)),
      times(racers, poll),
    ]);
    for (const { status } of answers[0]) expect(status).toBe(303);
    await journey.becomes(id, 'COMPLETED ACSC');
    expect(await paymentsAtBank(id)).toBe(1);
    const events = await journey.eventsOf(id);
    expect(events[0]).toBe('PENDING');
    expect(countOf(events, 'PENDING')).toBe(1);
    // Once for ACSP and once for ACSC, or ACSC alone.
    expect(countOf(events, 'COMPLETED')).toBeLessThanOrEqual(2);
  });

  test('a cancellation and a return: exactly one wins', async () => {
    for (let round = 0; round < racers; round += 1) {
      const id = await journey.create();
      const back = (await journey.payer.approve(await journey.payer.start(id))) ?? {};
      const cancelled = journey.sandbox.request('POST', `/api/payment-request/cancel/${id}`);
      await Promise.all([journey.payer.comeBack(back), cancelled]);
      const { status } = await cancelled;
      await journey.becomes(id, status === 200 ? 'CANCELLED CANC' : 'COMPLETED AC.*');
      expect(await paymentsAtBank(id)).toBe(status === 200 ? 0 : 1);
    }
  });

  test('an expiry and a return, strict and not', async () => {
    for (const strictExpiry of [true, false]) {
      const id = await journey.create({ strictExpiry, expiresIn: halfMinute });
      const back = (await journey.payer.approve(await journey.payer.start(id))) ?? {};
      // Less than the exchange of a code may take: a longer jump would lose the exchange.
      const moved = journey.advance(halfMinute);
      await Promise.all([journey.payer.comeBack(back), moved]);
      const ending = await journey.becomes(id, 'EXPIRED.*|COMPLETED AC.*');
      const isExpired = ending.startsWith('EXPIRED');
      expect(await paymentsAtBank(id)).toBe(isExpired ? 0 : 1);
      expect(countOf(await journey.eventsOf(id), 'EXPIRED')).toBe(isExpired ? 1 : 0);
      if (!strictExpiry) expect(isExpired).toBe(false);
    }
  });
});

test('the clock moves repeatedly during payments', {
  timeout: 90_000,
}, async () => {
  const drive = async () => {
    const id = await journey.create();
    const path = `/api/sandbox/payment-requests/${id}/pay`;
    return (await journey.sandbox.request('POST', path, { body: {} })).body.status;
  };
  let isOver = false;
  const moving = (async () => {
    while (!isOver) await journey.advance(1);
  })();
  const driving = times(racers, drive).finally(() => {
    isOver = true;
  });
  const [endings] = await Promise.all([driving, moving]);
  expect(endings).toEqual(endings.map(() => 'COMPLETED'));
});

const idOfAttempt = async (id: string): Promise<string> => {
  const { tools, tenant } = journey.sandbox;
  const rows = await tools.database.system<object, { attempt_id: string }>(
    {
      name: 'races_attempt_id',
      text: 'select attempt_id from attempt where payment_request_id = $1::uuid',
      valueNames: ['id' as never],
    },
    { id, tenant },
  );
  return rows[0]?.attempt_id ?? '';
};

describe('payers who do not come back', () => {
  test('an abandoned bank page closes after thirty minutes and allows another try', async () => {
    const id = await journey.create();
    expect(await journey.payer.pay(id, 'abandon')).toBeNull();
    await journey.advance(29 * minute);
    expect(await journey.standing(id)).toBe('AWAITING_AUTHORIZATION');
    await journey.advance(minute);
    await journey.becomes(id, 'PAYMENT_NOT_INITIATED');
    expect(await journey.attemptsOf(id)).toMatchObject([{ ended_reason: 'NOT_APPROVED_IN_TIME' }]);
    await journey.payer.pay(id);
    await journey.becomes(id, 'COMPLETED AC.*');
  });

  test('a payer who returns after that has not paid', async () => {
    const id = await journey.create();
    const back = (await journey.payer.approve(await journey.payer.start(id))) ?? {};
    await journey.advance(31 * minute);
    expect(await journey.payer.comeBack(back)).toMatchObject({ status: 303 });
    expect(await journey.standing(id)).toBe('PAYMENT_NOT_INITIATED');
    expect(await paymentsAtBank(id)).toBe(0);
  });

  test('a request emits EXPIRED once, after the last payer left the bank', async () => {
    const id = await journey.create({ expiresIn: minute });
    await journey.payer.pay(id, 'abandon');
    await journey.advance(2 * minute);
    expect(await journey.standing(id)).toBe('AWAITING_AUTHORIZATION');
    expect(await journey.eventsOf(id)).toEqual([]);
    await journey.advance(30 * minute);
    await journey.becomes(id, 'EXPIRED CANC');
    expect(await journey.eventsOf(id)).toEqual(['EXPIRED']);
  });

  test('a submitted payment may still complete after the expiry, without an EXPIRED event', async () => {
    // The bank takes three seconds to accept, and six more to settle.
    const submitted = [true, false].map(async (strictExpiry) => {
      const id = await journey.create({ expiresIn: minute / 2, strictExpiry });
      await journey.payer.pay(id, 'slow');
      return id;
    });
    const ids = await Promise.all(submitted);
    await journey.advance(minute);
    for (const id of ids) {
      await journey.becomes(id, 'COMPLETED ACSC');
      expect(await journey.eventsOf(id)).not.toContain('EXPIRED');
    }
  });

  test('a strict request ends with its attempt at the moment of expiry', async () => {
    const id = await journey.create({ expiresIn: minute, strictExpiry: true });
    const back = (await journey.payer.approve(await journey.payer.start(id))) ?? {};
    await journey.advance(minute);
    await journey.becomes(id, 'EXPIRED CANC');
    await journey.payer.comeBack(back);
    expect(await paymentsAtBank(id)).toBe(0);
    expect(await journey.eventsOf(id)).toEqual(['EXPIRED']);
  });
});

describe('broken connections', () => {
  const faults = ['cut-before', 'cut-after', 'down', 'slow'] as const;
  /** Every kind at every operation in the long run; else each operation with one, and each kind once. */
  const ways = (...operations: readonly string[]) =>
    operations
      .flatMap((operation) => faults.map((kind) => [operation, kind] as const))
      .filter(([, kind], at) => isLongRun || faults.indexOf(kind) === (at >> 2) + 1);
  const fault = (operation: string, kind: string) =>
    journey.control.fault(operation, kind, kind === 'slow' ? { milliseconds: 500 } : {});

  /** One payment or none, the page shows which, and a payer who read "none" can pay. */
  const endsWell = async (id: string): Promise<void> => {
    const ending = await journey.becomes(id, 'COMPLETED AC.*|FAILED RJCT');
    expect(await paymentsAtBank(id)).toBe(ending.startsWith('FAILED') ? 0 : 1);
    if (!ending.startsWith('FAILED')) return;
    expect(await journey.payer.readPage(id)).toMatch(/no money/i);
    await journey.payer.pay(id);
    await journey.becomes(id, 'COMPLETED AC.*');
    expect(await paymentsAtBank(id)).toBe(1);
  };

  test.each(ways('payment', 'read', 'token'))('%s %s after the approval', async (...way) => {
    const id = await journey.create();
    const back = await journey.payer.approve(await journey.payer.start(id));
    await fault(...way);
    await journey.payer.comeBack(back ?? {});
    await endsWell(id);
  });

  test.each(ways('consent', 'authorize', ...(isLongRun ? ['token'] : [])))(
    '%s %s before it',
    async (...way) => {
      const id = await journey.create();
      await fault(...way);
      const paid = await journey.payer.pay(id);
      if (paid === null) await journey.payer.pay(id);
      await endsWell(id);
    },
  );
});

test('the books of both sides agree and every invariant holds', () => journey.allAgree());
