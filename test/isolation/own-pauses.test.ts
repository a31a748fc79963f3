import { afterAll, beforeAll, expect, test } from 'vitest';
import { bankFeedJobs } from '../../service/src/modules/bank-feed/jobs.ts';
import { detachCards } from '../../service/src/modules/cards/jobs.ts';
import { cardContext } from '../../service/src/modules/cards/references.ts';
import { matchCredits } from '../../service/src/modules/credits/credits.ts';
import { reverseCredits } from '../../service/src/modules/credits/reverse-credits.ts';
import { refundJobs } from '../../service/src/modules/refunds/jobs.ts';
import {
  credit,
  debit,
  detachment,
  link,
  refund,
} from '../../service/src/modules/stuck-work/test/planted-work.ts';
import { noCardRails } from '../harness/no-card-rails.ts';
import { type Isolation, openIsolation } from './isolation-steps.ts';

/** Work whose pause stands in its own row: the bad is first in the order of the claim. */
let isolation: Isolation;
beforeAll(async () => {
  isolation = await openIsolation();
});
afterAll(() => isolation.close());

const anHourAgo = `now() - interval '1 hour'`;
const justNow = `now() - interval '1 second'`;
/** Tried so often that the next failure is shown. */
const often = '6';

test('a card that cannot be opened, or whose end cannot be written, stops no other detachment', async () => {
  const { service, plant, rows, stuck, otherId } = isolation;
  const { secrets } = service.tools;
  const customerId = '6f0d6f4e-9f4e-4a53-8a0c-0f1d6f2f3c11';
  const sealed = async (id: string) => {
    const reference = secrets.encrypt(`card ${id}`, cardContext(customerId, id));
    await rows(
      `update card_detachment set reference_encrypted = $2, customer_id = $3
       where reference_id = $1`,
      [id, reference, customerId],
    );
    return id;
  };
  const bad = await plant(detachment({ due_at: anHourAgo, attempts: often }));
  const unwritable = await sealed(await plant(detachment({ due_at: anHourAgo, attempts: often })));
  const good = await sealed(await plant(detachment({ due_at: justNow }), otherId));
  const detached: string[] = [];
  const detachCard = async (reference: string) => {
    detached.push(reference);
    return { kind: 'DETACHED' as const };
  };
  const cardRails = { findAccount: async () => ({ detachCard }) as never };
  const run = () => detachCards({ ...service.tools, cardRails });
  await isolation.poison(
    'card_detachment',
    `new.reference_id = '${unwritable}'
    and new.leased_until is null`,
  );
  expect(await run()).toBe(1);
  expect(await run()).toBe(0);
  expect(detached.sort()).toEqual([`card ${good}`, `card ${unwritable}`].sort());
  expect((await stuck('DETACH_CARD')).find(({ workId }) => workId === bad)).toMatchObject({
    ...{ attempts: 7, canHurry: true, lastFailure: expect.any(String) },
  });
  await isolation.cure('card_detachment');
  await sealed(bad);
  expect(await isolation.hurry('DETACH_CARD', bad)).toBe(200);
  expect(await run()).toBe(1);
  expect(await stuck('DETACH_CARD')).toMatchObject([{ workId: unwritable }]);
});

test('a credit whose payment is not there keeps no other, and says why', async () => {
  const { service, plant, rows, stuck } = isolation;
  const bad = await plant(
    credit({
      ...{ due_at: anHourAgo, tries: often, merchant_id: `'${isolation.merchantId}'` },
      ...{ payment_request_id: 'gen_random_uuid()', attempt_id: 'gen_random_uuid()' },
    }),
  );
  const good = await plant(credit({ due_at: justNow, is_returned: 'true' }));
  const run = () => matchCredits(service.tools);
  expect([await run(), await run()]).toEqual([1, 0]);
  const statusOf = async (id: string) =>
    (await rows('select status from account_credit where credit_id = $1', [id]))[0].status;
  expect([await statusOf(good), await statusOf(bad)]).toEqual(['UNMATCHED', 'OPEN']);
  expect(await stuck('MATCH_CREDIT')).toMatchObject([
    { workId: bad, attempts: 7, lastFailure: expect.any(String), canHurry: true },
  ]);
  await rows('update account_credit set attempt_id = null where credit_id = $1', [bad]);
  const asked = [bad, bad].map((id) => isolation.hurryShared('MATCH_CREDIT', id));
  expect(await Promise.all(asked)).toEqual([200, 200]);
  expect(await run()).toBe(1);
  expect(await statusOf(bad)).toBe('UNMATCHED');
  expect(await stuck('MATCH_CREDIT')).toEqual([]);
});

test('a debit whose credit cannot be written keeps no other, and says why', async () => {
  const { service, plant, rows, stuck } = isolation;
  const taken = async (due_at: string, tries: string) => {
    const id = await plant(debit({ due_at, tries }));
    await rows(
      `insert into account_credit (environment, entry_key, amount_pence, is_returned, status,
         end_to_end_id, known_as, due_at)
       values ('SANDBOX', $1, 100, false, 'UNMATCHED', $1, $1, null)`,
      [id],
    );
    return id;
  };
  const bad = await taken(anHourAgo, often);
  const good = await taken(justNow, '0');
  await isolation.poison('account_credit', `new.entry_key = '${bad}'`);
  const run = () => reverseCredits(service.tools);
  expect([await run(), await run()]).toEqual([1, 0]);
  expect(await stuck('REVERSE_CREDIT')).toMatchObject([
    { workId: bad, attempts: 7, lastFailure: 'poisoned', canHurry: true },
  ]);
  await isolation.cure('account_credit');
  expect(await isolation.hurryShared('REVERSE_CREDIT', bad)).toBe(200);
  expect(await run()).toBe(1);
  expect(await stuck('REVERSE_CREDIT')).toEqual([]);
  for (const kind of ['MATCH_CREDIT', 'REVERSE_CREDIT'])
    expect(await isolation.hurryShared(kind, bad)).toBe(404);
  const ended = await rows(
    `select entry_key, status from account_credit where entry_key in ($1, $2)`,
    [bad, good],
  );
  expect(ended.map(({ status }) => status)).toEqual(['REVERSED', 'REVERSED']);
});

test('refunds whose state no key opens keep no other, and wait with their reason', async () => {
  const { service, plant, rows, stuck, otherId } = isolation;
  const handedOver = { step: `'HANDED_OVER'`, due_at: anHourAgo };
  const unreadable = { ...handedOver, method: `'CARD'`, rail_state_encrypted: `'\\x00'` };
  const bad: string[] = [];
  for (let count = 0; count < 50; count += 1) bad.push(await plant(refund(unreadable)));
  const good = await plant(refund({ ...handedOver, due_at: justNow }), otherId);
  const transferRails = { find: () => null };
  const jobs = refundJobs({ ...service.tools, cardRails: noCardRails, transferRails });
  expect([await jobs.pollRefunds(), await jobs.pollRefunds()]).toEqual([0, 1]);
  const shown = await stuck('POLL_REFUND');
  expect(shown.map(({ workId }) => workId).sort()).toEqual(bad.sort());
  for (const each of shown)
    expect(each).toMatchObject({ attempts: 1, canHurry: true, lastFailure: expect.any(String) });
  const { body } = await service.operate('GET', '/cases?status=OPEN&size=100');
  expect(body.data).toContainEqual(
    expect.objectContaining({ kind: 'REFUND_OVERDUE', subject: good }),
  );
  const [first = ''] = bad;
  await rows(
    `update refund set rail_state_encrypted = null, method = 'PAY_BY_BANK', leased_until = null
     where refund_id = $1`,
    [first],
  );
  expect(await isolation.hurry('POLL_REFUND', first)).toBe(200);
  expect(await jobs.pollRefunds()).toBe(1);
  expect((await stuck('POLL_REFUND')).map(({ workId }) => workId)).not.toContain(first);
});

test('a consent that cannot be ended keeps no other, and waits with its reason', async () => {
  const { service, plant, rows, stuck, otherId } = isolation;
  const ended = { status: `'REVOKED'`, ended_at: anHourAgo };
  const sealed = { removal_due_at: anHourAgo, rail_state_encrypted: `'\\x00'` };
  const bad: string[] = [];
  for (let count = 0; count < 5; count += 1) bad.push(await plant(link({ ...ended, ...sealed })));
  const good = await plant(link({ ...ended, removal_due_at: justNow }), otherId);
  const bankDataRails = { find: () => null } as never;
  const jobs = bankFeedJobs({ ...service.tools, bankDataRails });
  const run = () => jobs.removeEndedAuthorisations();
  expect([await run(), await run()]).toEqual([0, 1]);
  await rows(`update bank_authorisation set removal_failures = 6 where removal_failures = 1`);
  const shown = await stuck('REMOVE_BANK_DATA');
  expect(shown.map(({ workId }) => workId).sort()).toEqual(bad.sort());
  for (const each of shown)
    expect(each).toMatchObject({ canHurry: true, lastFailure: expect.any(String) });
  expect(shown.map(({ workId }) => workId)).not.toContain(good);
  const [first = ''] = bad;
  await rows(
    'update bank_authorisation set rail_state_encrypted = null where authorisation_id = $1',
    [first],
  );
  expect(await isolation.hurry('REMOVE_BANK_DATA', first)).toBe(200);
  expect(await run()).toBe(1);
  expect((await stuck('REMOVE_BANK_DATA')).map(({ workId }) => workId)).not.toContain(first);
});
