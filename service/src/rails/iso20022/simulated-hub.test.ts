import { describe, expect, test } from 'vitest';
import { pence } from '#kernel/pence.ts';
import type { Transfer } from '#rails/transfer-rail.ts';
import { collectingAccount, newBatch, newTransfer } from './test/new-batch.ts';
import { rawDeliveries, useSimulatedBank, validateAll } from './test/simulated-bank.ts';

const bank = useSimulatedBank();

const handOver = async (...transfers: readonly Transfer[]) => {
  const batch = newBatch(transfers);
  expect(await bank.rail.submit(batch)).toEqual({ kind: 'SUBMITTED' });
  return batch;
};

const order = (endToEndId: string, behaviour: string) =>
  bank.control('POST', '/transfers/behaviours', { endToEndId, behaviour });

const final = async (endToEndId: string) => {
  await bank.advance([endToEndId], 2_000);
  return bank.until(() => bank.statusesOf(endToEndId).find(({ stage }) => stage !== 'IN_PROGRESS'));
};

const booked = (endToEndId: string, count: number) =>
  bank.until(() => {
    const entries = bank.entriesOf(endToEndId);
    return entries.length >= count ? entries : undefined;
  });

const statusReportsFor = (messageId: string) =>
  bank.messages.filter(
    (message) => message.kind === 'STATUS_REPORT' && message.originalMessageId === messageId,
  );

describe('a transfer', () => {
  test('settles and is booked on both accounts and the report', async () => {
    const creditor = { sortCode: '001002', accountNumber: '55550001', name: 'Ada Ashdown' };
    const transfer = newTransfer({ creditor, amountPence: pence(250_075) });
    const batch = await handOver(transfer);
    const status = await final(transfer.endToEndId);
    expect(status).toMatchObject({ stage: 'SETTLED', isoCode: 'ACSC', reason: null });
    expect(statusReportsFor(batch.messageId).length).toBeGreaterThan(0);
    const [entry] = await booked(transfer.endToEndId, 1);
    expect(entry).toMatchObject({
      direction: 'DEBIT',
      status: 'BOOKED',
      amountPence: 250_075n,
      counterparty: creditor,
      remittance: 'REFUND 1001',
      isReversal: false,
      returned: null,
    });
    expect(entry?.bookedOn).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(await bank.account('001002', '55550001')).toMatchObject({ balancePence: 250_075 });
  });

  test('has valid messages, and the report has the booked balance', async () => {
    const transfers = [newTransfer(), newTransfer({ amountPence: pence(1) })];
    const [first] = transfers;
    await handOver(...transfers);
    const texts = await expect
      .poll(() => rawDeliveries(bank), { timeout: 20_000 })
      .toSatisfy((found: readonly string[]) => found.some((text) => text.includes('camt.052')))
      .then(() => rawDeliveries(bank));
    validateAll(texts);
    await final(first?.endToEndId ?? '');
    await booked(first?.endToEndId ?? '', 1);
    const reports = bank.messages.flatMap((one) => (one.kind === 'ACCOUNT_REPORT' ? [one] : []));
    const { sortCode, accountNumber } = collectingAccount;
    const { balancePence } = await bank.account(sortCode, accountNumber);
    expect(reports.at(-1)?.account).toEqual({ sortCode, accountNumber });
    expect(Number(reports.at(-1)?.bookedBalancePence)).toBe(balancePence);
  });

  test('is rejected by a magic reference, account or amount', async () => {
    const magic = (await bank.control('GET', '/magic/transfers')) as readonly {
      name: string;
      reference: string;
      accountNumber: string;
      amountPence: number;
    }[];
    const rejections = magic.filter(({ name }) => name.startsWith('reject-A'));
    expect(rejections.length).toBeGreaterThan(5);
    const plain = newTransfer();
    const cases = rejections.flatMap(({ name, reference, accountNumber, amountPence }) =>
      [
        newTransfer({ reference: `Order 7 ${reference}` }),
        newTransfer({ creditor: { ...plain.creditor, accountNumber } }),
        newTransfer({ amountPence: pence(amountPence) }),
      ].map((transfer) => ({ transfer, code: name.replace('reject-', '') })),
    );
    await handOver(...cases.map(({ transfer }) => transfer));
    for (const { transfer, code } of cases) {
      const status = await final(transfer.endToEndId);
      expect(status).toMatchObject({ stage: 'REJECTED', isoCode: 'RJCT', reason: { code } });
      expect(bank.entriesOf(transfer.endToEndId)).toEqual([]);
    }
  });

  test('is returned after it settled', async () => {
    const transfer = newTransfer({ reference: 'SIM-RETURN' });
    await handOver(transfer);
    await final(transfer.endToEndId);
    await bank.advance([transfer.endToEndId], 120_000);
    const entries = await booked(transfer.endToEndId, 2);
    expect(entries[1]).toMatchObject({ direction: 'CREDIT', returned: { code: 'AC04' } });
    const { sortCode, accountNumber } = transfer.creditor;
    const { entries: atCreditor } = await bank.account(sortCode, accountNumber);
    const own = atCreditor.filter(({ endToEndId }) => endToEndId === transfer.endToEndId);
    expect(own.map(({ direction }) => direction)).toEqual(['CRDT', 'DBIT']);
  });

  test('is rejected late, and the debit is reversed', async () => {
    const transfer = newTransfer();
    await order(transfer.endToEndId, 'reject-late');
    await handOver(transfer);
    await booked(transfer.endToEndId, 1);
    await bank.advance([transfer.endToEndId], 120_000);
    expect(await final(transfer.endToEndId)).toMatchObject({ reason: { code: 'MS03' } });
    const entries = await booked(transfer.endToEndId, 2);
    expect(entries[1]).toMatchObject({ direction: 'CREDIT', isReversal: true });
  });

  test('is delayed until its clock is moved', async () => {
    const transfer = newTransfer({ reference: 'SIM-DELAY' });
    await handOver(transfer);
    await bank.until(() =>
      bank.statusesOf(transfer.endToEndId).find(({ isoCode }) => isoCode === 'PDNG'),
    );
    await bank.advance([transfer.endToEndId], 602_000);
    expect(await final(transfer.endToEndId)).toMatchObject({ stage: 'SETTLED' });
  });
});

describe('hub messages', () => {
  test('are delivered twice with the same id', async () => {
    const transfer = newTransfer({ reference: 'SIM-TWICE' });
    const { messageId } = await handOver(transfer);
    await final(transfer.endToEndId);
    const reports = await bank.until(() => {
      const found = statusReportsFor(messageId);
      return found.length >= 2 ? found : undefined;
    });
    const ids = reports.map((one) => (one.kind === 'STATUS_REPORT' ? one.messageId : ''));
    expect(new Set(ids).size).toBe(ids.length / 2);
    expect(new Set(reports.map(({ reference }) => reference)).size).toBe(reports.length);
  });

  test('are delivered in the wrong order', async () => {
    const transfer = newTransfer({ reference: 'SIM-REVERSED' });
    await handOver(transfer);
    await bank.until(() => (bank.statusesOf(transfer.endToEndId).length >= 2 ? true : undefined));
    const codes = bank.statusesOf(transfer.endToEndId).map(({ isoCode }) => isoCode);
    expect(codes).toEqual(['ACSC', 'ACSP']);
  });

  test('are late or missing while the account report is right', async () => {
    const late = newTransfer({ reference: 'SIM-LATE' });
    const never = newTransfer({ reference: 'SIM-NEVER' });
    await handOver(late, never);
    await booked(late.endToEndId, 1);
    await booked(never.endToEndId, 1);
    expect(bank.statusesOf(late.endToEndId)).toEqual([]);
    await bank.advance([late.endToEndId], 600_000);
    await bank.until(() => bank.statusesOf(late.endToEndId)[0]);
    expect(bank.statusesOf(never.endToEndId)).toEqual([]);
  });

  test('are broken or for an unknown order', async () => {
    const broken = newTransfer({ reference: 'SIM-MALFORMED' });
    const unknown = newTransfer({ reference: 'SIM-FOR-UNKNOWN' });
    const { messageId } = await handOver(broken, unknown);
    await final(broken.endToEndId);
    await final(unknown.endToEndId);
    const reason = bank.messages.flatMap((one) => (one.kind === 'UNREADABLE' ? [one.reason] : []));
    expect(reason[0]).toMatch(/not well-formed/);
    expect(statusReportsFor(`UNKNOWN-${messageId}`.slice(0, 35))).toHaveLength(1);
  });

  test('reject a whole batch in one status', async () => {
    const transfers = [newTransfer({ reference: 'SIM-REFUSE-BATCH' }), newTransfer()];
    const { messageId } = await handOver(...transfers);
    const batch = await bank.until(() =>
      statusReportsFor(messageId)
        .flatMap((one) => (one.kind === 'STATUS_REPORT' ? [one.batch] : []))
        .find((status) => status?.stage === 'REJECTED'),
    );
    expect(batch?.reason?.code).toBe('FF01');
  });

  test('stay until acknowledged', async () => {
    await handOver(newTransfer());
    const references = async () => {
      const read = await bank.rail.readMessages(100);
      return read.kind === 'MESSAGES' ? read.messages.map(({ reference }) => reference) : [];
    };
    await expect.poll(references, { timeout: 20_000 }).not.toEqual([]);
    const before = await references();
    expect(await references()).toEqual(expect.arrayContaining(before));
    for (const reference of before) await bank.rail.acknowledge(reference, 'a test');
    const after = await references();
    expect(after.filter((one) => before.includes(one))).toEqual([]);
  });
});

describe('a submission', () => {
  const fault = (operation: string, kind: string) =>
    bank.control('POST', '/transfers/faults', { operation, kind });

  test.each([['cut-before'], ['cut-after'], ['down']])(
    'is unknown after %s, and results in one message',
    async (kind) => {
      const transfer = newTransfer({ amountPence: pence(777) });
      const batch = newBatch([transfer]);
      await fault('submit', kind);
      expect((await bank.rail.submit(batch)).kind).toBe('UNKNOWN');
      expect(await bank.rail.resolveSubmission(batch)).toEqual({ kind: 'SUBMITTED' });
      expect(await bank.rail.submit(batch)).toEqual({ kind: 'SUBMITTED' });
      await final(transfer.endToEndId);
      await booked(transfer.endToEndId, 1);
      const { sortCode, accountNumber } = collectingAccount;
      const { entries } = await bank.account(sortCode, accountNumber);
      const own = entries.filter(({ endToEndId }) => endToEndId === transfer.endToEndId);
      expect(own).toHaveLength(1);
    },
  );

  test('of another message under the same id is refused', async () => {
    const batch = newBatch([newTransfer()]);
    await bank.rail.submit(batch);
    const other = { ...batch, transfers: [newTransfer()] };
    expect(await bank.rail.submit(other)).toMatchObject({ code: 'MESSAGE_ID_REUSED' });
  });

  test('uses an end-to-end id once', async () => {
    const transfer = newTransfer();
    await handOver(transfer);
    await final(transfer.endToEndId);
    await handOver(transfer);
    const rejected = await bank.until(() =>
      bank.statusesOf(transfer.endToEndId).find(({ stage }) => stage === 'REJECTED'),
    );
    expect(rejected.reason?.code).toBe('DUPL');
  });

  test('is not taken by a paused hub, and taken in full when resumed', async () => {
    const ultimateDebtorIds = ['merchant-9'];
    const onBehalfOf = { id: 'merchant-9', name: 'Paused Ltd' };
    const batch = newBatch([newTransfer({ onBehalfOf })]);
    await bank.control('POST', '/transfers/pause', { ultimateDebtorIds });
    expect((await bank.rail.submit(batch)).kind).toBe('NOT_TAKEN');
    await handOver(newTransfer());
    await bank.control('POST', '/transfers/resume', { ultimateDebtorIds });
    expect(await bank.rail.submit(batch)).toEqual({ kind: 'SUBMITTED' });
  });

  test('pays only what an account without an overdraft holds', async () => {
    const debtor = { sortCode: '180002', accountNumber: '00000777', name: 'Small float' };
    const { sortCode, accountNumber } = debtor;
    const terms = { sortCode, accountNumber, openingPence: 1000, mayOverdraw: false };
    await bank.control('POST', '/transfers/account', terms);
    const transfers = [600, 600, 400].map((amount) => newTransfer({ amountPence: pence(amount) }));
    expect(await bank.rail.submit(newBatch(transfers, { debtor }))).toEqual({
      kind: 'SUBMITTED',
    });
    await expect
      .poll(async () => (await bank.account(sortCode, accountNumber)).balancePence)
      .toBe(0);
  });

  test('is refused for a wrong batch before anything is sent', async () => {
    const wrong = newTransfer({ creditor: { sortCode: '1', accountNumber: '2', name: '' } });
    const outcome = await bank.rail.submit(newBatch([newTransfer(), wrong]));
    expect(outcome).toMatchObject({ kind: 'REFUSED', endToEndIds: [wrong.endToEndId] });
  });
});

test('shows a deposit on the report', async () => {
  const { sortCode, accountNumber } = collectingAccount;
  await bank.control('POST', '/transfers/deposits', {
    account: { sortCode, accountNumber },
    from: { sortCode: '001003', accountNumber: '11112222', name: 'A Stranger' },
    amountPence: 4_321,
    reference: 'no idea',
    endToEndId: 'STRANGER-1',
  });
  const [entry] = await booked('STRANGER-1', 1);
  expect(entry).toMatchObject({ direction: 'CREDIT', counterparty: { name: 'A Stranger' } });
});
