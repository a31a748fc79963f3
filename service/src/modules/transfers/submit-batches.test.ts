import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestService, type TestService } from '../../../../test/harness/open-test-service.ts';
import { pence } from '../../kernel/pence.ts';
import { sql } from '../../platform/database/sql.ts';
import { statement } from '../../platform/database/statement.ts';
import type { SubmitOutcome, TransferRail } from '../../rails/transfer-rail.ts';
import {
  draftBatch,
  orderTransfersCtes,
  type TransferReport,
  transferJobs,
  transferRails,
  transferValues,
} from './index.ts';
import { listNotices, recordNotice } from './store/bank-messages.ts';

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

let calls: string[] = [];
let reports: TransferReport['stage'][] = [];
beforeEach(() => {
  calls = [];
  reports = [];
});

const order = statement<ReturnType<typeof transferValues> & Record<string, unknown>, never>(
  'test_order_transfers',
  sql('subjectId')`
   with won as (select :subjectId::uuid as subject_id),
   ${orderTransfersCtes('won', 'subject_id')}
   select from won`,
);

/** A batch with one transfer, as a refund that was handed over leaves it. */
const orderBatch = async (): Promise<string> => {
  const subjectId = randomUUID();
  const creditor = { sortCode: '180002', accountNumber: '00000190', name: 'Ada Payer' };
  const draft = draftBatch(service.tools, 'REFUND', 'Corner Coffee', [
    { subjectId, amountPence: pence(1250n), creditor, reference: 'o' },
  ]);
  const values = { ...service.sandbox, ...transferValues([draft]), subjectId };
  await service.database.tenant(service.sandbox.merchantId, order, values);
  return draft.messageId;
};

/** A worker whose bank answers as the test says, and when. */
const worker = (
  name: string,
  answer: () => Promise<SubmitOutcome>,
  changes: Partial<TransferRail> = {},
  afterReports = async (): Promise<void> => undefined,
) => {
  const call = (operation: string) => () => {
    calls.push(`${name} ${operation}`);
    return answer();
  };
  const rail: TransferRail = {
    submit: call('submit'),
    resolveSubmission: call('resolve'),
    readMessages: async () => ({ kind: 'MESSAGES', messages: [] }),
    acknowledge: async () => ({ kind: 'ACKNOWLEDGED' }),
    reopenMessages: async () => ({ kind: 'REOPENED', messages: 0 }),
    readAgain: () => {
      throw new Error('it keeps no content');
    },
    readNotice: null,
    ...changes,
  };
  return transferJobs({
    ...service.tools,
    transferRails: transferRails(() => rail, { SANDBOX: '', PRODUCTION: '' }),
    receivers: {
      REFUND: async (_tenant, received) => {
        reports.push(...received.map(({ stage }) => stage));
        await afterReports();
        return received.map(() => 'EXPECTED');
      },
    },
  });
};

const systemText = (name: string, text: string, messageId: string) =>
  service.database.system<
    { messageId: string },
    { status: string; is_leased: boolean; last_error: string | null }
  >({ name, text, valueNames: ['messageId'] }, { messageId });
const endLease = (messageId: string) =>
  systemText(
    'test_end_batch_lease',
    `update transfer_batch set due_at = clock_timestamp() - interval '1 second',
       leased_until = clock_timestamp() - interval '1 second'
     where message_id = $1`,
    messageId,
  );
const readBatch = async (messageId: string) =>
  (
    await systemText(
      'test_read_batch',
      `select status, leased_until is not null as is_leased, last_error from transfer_batch
       where message_id = $1`,
      messageId,
    )
  )[0];

const pending = () => {
  let release: (outcome: SubmitOutcome) => void = () => undefined;
  const answer = new Promise<SubmitOutcome>((resolve) => {
    release = resolve;
  });
  return { answer, release };
};

/** The first worker waits for its bank until its lease is over, and the second takes the batch. */
const overtake = async () => {
  const messageId = await orderBatch();
  const [slow, quick] = [pending(), pending()];
  const first = worker('first', () => slow.answer).submitBatches();
  await expect.poll(() => calls).toEqual(['first submit']);
  await endLease(messageId);
  const second = worker('second', () => quick.answer).submitBatches();
  await expect.poll(() => calls).toEqual(['first submit', 'second resolve']);
  return { messageId, first, second, slow, quick };
};

test('a worker whose lease is over does not release the batch of another', async () => {
  const { messageId, first, second, slow, quick } = await overtake();
  slow.release({ kind: 'UNKNOWN', description: 'The answer was lost.' });
  expect(await first).toBe(0);
  expect(await readBatch(messageId)).toMatchObject({ status: 'OPEN', is_leased: true });
  quick.release({ kind: 'SUBMITTED' });
  expect(await second).toBe(1);
  expect(await readBatch(messageId)).toMatchObject({ status: 'SUBMITTED', is_leased: false });
});

test('a worker whose lease is over does not end the batch of another', async () => {
  const { messageId, first, second, slow, quick } = await overtake();
  slow.release({ kind: 'SUBMITTED' });
  expect(await first).toBe(0);
  expect(await readBatch(messageId)).toMatchObject({ status: 'OPEN', is_leased: true });
  quick.release({ kind: 'SUBMITTED' });
  expect(await second).toBe(1);
});

test('a late refusal fails no transfer that another worker submits', async () => {
  const { messageId, first, second, slow, quick } = await overtake();
  const refused = { kind: 'REFUSED', code: 'MESSAGE_REFUSED', endToEndIds: [] } as const;
  slow.release({ ...refused, description: 'The bank did not take it.' });
  expect(await first).toBe(0);
  expect(reports).toEqual([]);
  quick.release({ kind: 'SUBMITTED' });
  expect(await second).toBe(1);
  expect(await readBatch(messageId)).toMatchObject({ status: 'SUBMITTED', is_leased: false });
});

test('a refusal under a live claim is reported and ends the batch', async () => {
  const messageId = await orderBatch();
  const refused = { kind: 'REFUSED', code: 'MESSAGE_REFUSED', endToEndIds: [] } as const;
  const only = worker('only', async () => ({ ...refused, description: 'It is wrong.' }));
  expect(await only.submitBatches()).toBe(1);
  expect(reports).toEqual(['REJECTED']);
  expect(await readBatch(messageId)).toMatchObject({ status: 'REFUSED', is_leased: false });
});

test('what the bank has listed of a batch that it refuses is compared with the books', async () => {
  const messageId = await orderBatch();
  await systemText(
    'test_list_debit',
    `insert into transfer_entry (environment, entry_key, end_to_end_id, kind, amount_pence)
     select environment, end_to_end_id, end_to_end_id, 'DEBIT', 1000 from transfer
     where message_id = $1`,
    messageId,
  );
  const refused = { kind: 'REFUSED', code: 'MESSAGE_REFUSED', endToEndIds: [] } as const;
  const only = worker('only', async () => ({ ...refused, description: 'It is wrong.' }));
  expect(await only.submitBatches()).toBe(1);
  const found = await systemText(
    'test_case_of_refused',
    `select status, evidence->>'debitedPence' as last_error from operator_case
     where subject = (select end_to_end_id from transfer where message_id = $1)`,
    messageId,
  );
  expect(found).toMatchObject([{ status: 'OPEN', last_error: '1000' }]);
});

test('a refused batch whose refund has failed is never sent again after a kill', async () => {
  const messageId = await orderBatch();
  const refused = { kind: 'REFUSED', code: 'MESSAGE_REFUSED', endToEndIds: [] } as const;
  const answer = async () => ({ ...refused, description: 'Not now.' });
  const dies = () => Promise.reject(new Error('killed'));
  const killed = worker('killed', answer, {}, dies);
  expect(await killed.submitBatches()).toBe(0);
  await endLease(messageId);
  const next = worker('next', async (): Promise<SubmitOutcome> => ({ kind: 'SUBMITTED' }));
  expect(await next.submitBatches()).toBe(1);
  expect([calls, reports]).toEqual([['killed submit'], ['REJECTED', 'REJECTED']]);
  expect(await readBatch(messageId)).toMatchObject({ status: 'REFUSED', is_leased: false });
});

test('nothing is sent to the bank while nobody has said what a restore has lost', async () => {
  const confirm = (at: string) =>
    systemText(
      `test_confirm_${at.slice(0, 3)}`,
      `update cluster_epoch set confirmed_at = ${at} where $1 <> ''`,
      'all',
    );
  const next = worker('next', async (): Promise<SubmitOutcome> => ({ kind: 'SUBMITTED' }));
  await confirm('null');
  const messageId = await orderBatch();
  expect([await next.submitBatches(), calls]).toEqual([0, []]);
  await confirm('now()');
  expect(await next.submitBatches()).toBe(1);
  expect(await readBatch(messageId)).toMatchObject({ status: 'SUBMITTED' });
});

test('a batch whose creditor no key opens stops no other, and waits with its reason', async () => {
  const messageIds: string[] = [];
  for (let count = 0; count < 3; count += 1) messageIds.push(await orderBatch());
  const [before = '', bad = '', after = ''] = messageIds;
  await systemText(
    'test_spoil_creditor',
    `update transfer set creditor_encrypted = '\\x00' where message_id = $1`,
    bad,
  );
  expect(await worker('bank', async () => ({ kind: 'SUBMITTED' })).submitBatches()).toBe(2);
  expect(calls).toEqual(['bank submit', 'bank submit']);
  for (const good of [before, after])
    expect(await readBatch(good)).toMatchObject({ status: 'SUBMITTED' });
  expect(await readBatch(bad)).toEqual({
    ...{ status: 'OPEN', is_leased: false, last_error: expect.stringMatching(/./) },
  });
});

test('a notice stays due until the messages were read, also when their reader was killed', async () => {
  const { database } = service;
  const environment = 'SANDBOX';
  const due = async () =>
    (await database.system(listNotices, { environment })).map(({ noticed }) => noticed);
  await database.system(recordNotice, { environment });
  await database.system(recordNotice, { environment });
  expect(await due()).toEqual(['2']);
  const submitted = async (): Promise<SubmitOutcome> => ({ kind: 'SUBMITTED' });
  const killed = worker('killed', submitted, {
    readMessages: () => Promise.reject(new Error('killed')),
  });
  await expect(killed.readBankMessages(environment)).rejects.toThrow('killed');
  expect(await due()).toEqual(['2']);
  const noticed = worker('noticed', submitted, {
    // One comes while the messages are read.
    readMessages: async () => {
      await database.system(recordNotice, { environment });
      return { kind: 'MESSAGES', messages: [] };
    },
  });
  expect(await noticed.readBankMessages(environment)).toBe(0);
  expect(await due()).toEqual(['3']);
  expect(await worker('other', submitted).readBankMessages(environment)).toBe(0);
  expect(await due()).toEqual([]);
});
