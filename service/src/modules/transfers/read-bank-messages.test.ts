import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { lookInto } from '../../../../test/harness/invariants/look-into.ts';
import { openTestService, type TestService } from '../../../../test/harness/open-test-service.ts';
import type { Environment } from '../../kernel/environment.ts';
import { pence } from '../../kernel/pence.ts';
import { DatabaseUnavailable } from '../../platform/database/database-unavailable.ts';
import { openIso20022, standardTemplate } from '../../rails/iso20022/index.ts';
import { accountReport, entry } from '../../rails/iso20022/test/account-report.ts';
import { anyFolder } from '../../rails/iso20022/test/any-folder.ts';
import type { IncomingMessage, TransferRail } from '../../rails/transfer-rail.ts';
import { type TransferJobTools, transferJobs, transferRails } from './index.ts';

const account = { sortCode: '180002', accountNumber: '00000190' };

let service: TestService;
let root: string;
beforeAll(async () => {
  const settings = { PRODUCTION_COLLECTING_ACCOUNT: '18-00-02 00000190 Florin' };
  service = await openTestService({ settings });
});
afterAll(() => service.close());
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'florin-bank-'));
  await mkdir(join(root, 'incoming'));
  return () => rm(root, { recursive: true });
});

/** The bank of production exchanges files, that of the sandbox does what the test says. */
const jobs = (sandbox: Partial<TransferRail> = {}, tools: Partial<TransferJobTools> = {}) => {
  const channel = { kind: 'FOLDER', root, own: anyFolder, settleMs: 0 } as const;
  const folder = openIso20022({ template: standardTemplate, channel }, service.tools);
  const rails = { SANDBOX: { ...folder, ...sandbox }, PRODUCTION: folder };
  return transferJobs({
    ...service.tools,
    transferRails: transferRails((environment) => rails[environment], {
      SANDBOX: '',
      PRODUCTION: '',
    }),
    receivers: {},
    ...tools,
  });
};

/** A file of the bank: a message of its own. */
const deliver = (name: string, text: string) =>
  writeFile(join(root, 'incoming', name), text.replace('<MsgId>BANK-1', `<MsgId>${name}`));

/** Messages of a bank in memory, until they are acknowledged: each a credit under its id. */
const bankWith = (name: string, endToEndIds: readonly string[]) => {
  const waiting = endToEndIds.map(
    (endToEndId, at): IncomingMessage => ({
      ...{ kind: 'ACCOUNT_REPORT', reference: `R-${name}-${at}`, messageId: `M-${name}-${at}` },
      ...{
        content: null,
        createdAt: new Date(0),
        account,
        bookedBalancePence: null,
        unreadable: [],
      },
      list: 'INTRADAY',
      entries: [
        {
          ...{ entryReference: null, direction: 'CREDIT', status: 'BOOKED', isReversal: false },
          ...{ amountPence: pence(100n), bookedOn: null, endToEndId, remittance: null },
          ...{ counterparty: { name: null, sortCode: null, accountNumber: null }, returned: null },
        },
      ],
    }),
  );
  const rail: Partial<TransferRail> = {
    readMessages: async (limit) => ({ kind: 'MESSAGES', messages: waiting.slice(0, limit) }),
    acknowledge: async (reference) => {
      const at = waiting.findIndex((message) => message.reference === reference);
      if (at >= 0) waiting.splice(at, 1);
      return { kind: 'ACKNOWLEDGED' };
    },
  };
  return { rail, waiting };
};

const rows = <Row>(name: string, text: string, environment: Environment) =>
  service.database.system<{ environment: Environment }, Row>(
    { name, text, valueNames: ['environment'] },
    { environment },
  );
const creditsOf = async (environment: Environment) =>
  (
    await rows<{ end_to_end_id: string }>(
      'test_credits_of',
      'select end_to_end_id from account_credit where environment = $1 order by end_to_end_id',
      environment,
    )
  ).map((row) => row.end_to_end_id);
const casesOf = async (environment: Environment) =>
  (
    await rows<{ description: string }>(
      'test_message_cases',
      `select description from operator_case where kind = 'BANK_MESSAGE_QUARANTINED'
         and evidence->>'environment' = $1 order by opened_at, subject`,
      environment,
    )
  ).map((row) => row.description);

test('an entry that cannot be read is put aside by itself, and the others count', async () => {
  const nothing = entry({ endToEndId: 'E-NOTHING', amount: '0.00' });
  const tooLong = entry({ endToEndId: 'E-LONG'.repeat(2_000) });
  const tooMuch = entry({ amount: '12345678901234.00' });
  const noDay = accountReport(entry({ endToEndId: 'E-DAY' }), entry({ endToEndId: 'E-2' }));
  await deliver('a.xml', accountReport(nothing, entry({ endToEndId: 'E-1' })));
  await deliver('b.xml', noDay.replace('2026-11-22T06:59', '2026-02-30T06:59'));
  await deliver('c.xml', accountReport(tooLong, entry({ endToEndId: 'E-3' }), tooMuch));
  await deliver('d.xml', accountReport(entry({ endToEndId: 'E-4' })));
  expect(await jobs().readBankMessages('PRODUCTION')).toBe(4);
  expect(await creditsOf('PRODUCTION')).toEqual(['E-1', 'E-2', 'E-3', 'E-4']);
  expect(await casesOf('PRODUCTION')).toEqual([
    expect.stringContaining('An entry moves no money.'),
    expect.stringContaining('2026-02-30 is no date.'),
    expect.stringContaining('A reference is too long.'),
    expect.stringContaining('12345678901234.00 is no amount of pounds.'),
  ]);
  expect(await readdir(join(root, 'incoming'))).toEqual([]);
});

test('messages that cannot be taken are put aside after three tries, of whichever worker', async () => {
  const bad = Array.from({ length: 50 }, (_, at) => `E-BAD-${at}\u0000`);
  const { rail, waiting } = bankWith('many', [...bad, 'E-BEHIND']);
  const taken: number[] = [];
  for (let round = 0; round < 6; round += 1)
    taken.push(await jobs(rail).readBankMessages('SANDBOX'));
  expect(taken).toEqual([0, 0, 0, 50, 1, 0]);
  expect([await creditsOf('SANDBOX'), waiting]).toEqual([['E-BEHIND'], []]);
  expect(await casesOf('SANDBOX')).toHaveLength(50);
});

test('of several messages one that cannot be taken is tried again, and the others count', async () => {
  const { rail, waiting } = bankWith('few', ['E-BEFORE', 'E-ODD\u0000', 'E-AFTER']);
  expect(await jobs(rail).readBankMessages('SANDBOX')).toBe(2);
  expect(waiting).toHaveLength(1);
  expect(await creditsOf('SANDBOX')).toEqual(expect.arrayContaining(['E-AFTER', 'E-BEFORE']));
});

test('a message whose tries cannot be counted is not in the way of those behind it', async () => {
  const { rail, waiting } = bankWith('beside', ['E-BESIDE']);
  waiting.unshift(...bankWith('odd\u0000', ['E-UNCOUNTED']).waiting);
  expect(await jobs(rail).readBankMessages('SANDBOX')).toBe(1);
  expect(await creditsOf('SANDBOX')).toContain('E-BESIDE');
});

test('while the database is away a message is kept, however often it is read', async () => {
  const { rail, waiting } = bankWith('kept', ['E-KEPT']);
  const gone = () => Promise.reject(new DatabaseUnavailable(new Error('gone')));
  const { database } = service;
  let isGone = true;
  const worker = jobs(rail, {
    database: { ...database, system: (...call) => (isGone ? gone() : database.system(...call)) },
  });
  for (let round = 0; round < 5; round += 1)
    await expect(worker.readBankMessages('SANDBOX')).rejects.toThrow('unavailable');
  expect(waiting).toHaveLength(1);
  isGone = false;
  expect(await worker.readBankMessages('SANDBOX')).toBe(1);
  expect(await creditsOf('SANDBOX')).toContain('E-KEPT');
});

test('what may be of a merchant that is being moved is put off, and nothing else', async () => {
  const { rail, waiting } = bankWith('moved', ['E-MOVED-1', 'E-MOVED-2']);
  const [first] = waiting;
  if (first?.kind !== 'ACCOUNT_REPORT') throw new Error('no report');
  const returned = { code: 'AC03', description: 'The account is not known.' };
  const entries = first.entries.map((each) => ({ ...each, returned }));
  waiting[0] = { ...first, entries };
  waiting.push({
    ...{ kind: 'STATUS_REPORT', reference: 'R-status', messageId: 'M-status', content: null },
    ...{ originalMessageId: 'B-MOVED', createdAt: new Date(0), batch: null, transfers: [] },
  });
  const of = (text: string) => lookInto(service.databaseUrl, (client) => client.query(text));
  await of(`with other as (insert into cell (address) values ('http://127.0.0.1:9') returning cell_id)
    insert into cell_move (merchant_id, move_id, version, status, other_cell_id, moved_by)
    select gen_random_uuid(), gen_random_uuid(), 1, 'PAUSED', cell_id, 'a test' from other`);
  expect(await jobs(rail).readBankMessages('SANDBOX')).toBe(1);
  expect(waiting.map(({ reference }) => reference)).toEqual(['R-moved-0', 'R-status']);
  await of(`update cell_move set status = 'COPYING'`);
  expect(await jobs(rail).readBankMessages('SANDBOX')).toBe(2);
  await of('delete from cell_move');
});

test('a bank of the sandbox that hangs keeps no message of production', async () => {
  await deliver('e.xml', accountReport(entry({ endToEndId: 'E-PRODUCTION' })));
  const worker = jobs({ readMessages: () => new Promise(() => undefined) });
  void worker.readBankMessages('SANDBOX');
  expect(await worker.readBankMessages('PRODUCTION')).toBe(1);
  expect(await creditsOf('PRODUCTION')).toContain('E-PRODUCTION');
});

test('two equal credits in two notifications are two, however they are listed again', async () => {
  const text = accountReport(entry({ endToEndId: 'E-TWIN' })).replace(
    /<AcctSvcrRef>[^<]*<\/AcctSvcrRef>/,
    '',
  );
  const notice = text
    .replace(/BkToCstmrAcctRpt/g, 'BkToCstmrDbtCdtNtfctn')
    .replace(/Rpt>/g, 'Ntfctn>')
    .replace('camt.052.001.08', 'camt.054.001.08');
  const twins = async () =>
    (await creditsOf('PRODUCTION')).filter((endToEndId) => endToEndId === 'E-TWIN').length;
  const read = async (name: string, message: string) => {
    await deliver(name, message);
    await jobs().readBankMessages('PRODUCTION');
    return twins();
  };
  expect(await read('n-1.xml', notice)).toBe(1);
  expect(await read('n-2.xml', notice)).toBe(2);
  // The reports of the day and its statement name what the notifications have named.
  expect(await read('r-1.xml', text)).toBe(2);
  const twice = text.replace(/<Ntry>.*<\/Ntry>/s, '$&$&');
  expect(await read('r-2.xml', twice)).toBe(2);
  expect(await read('n-3.xml', notice)).toBe(3);
});
