import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { limits } from '@florin/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { longTest } from '../../../../test/harness/long-test.ts';
import { openKillable } from '../../../../test/harness/open-killable.ts';
import { type Isolation, openIsolation } from '../../../../test/isolation/isolation-steps.ts';
import { reencryptRecords } from '../../platform/secrets/reencrypt-records.ts';
import { openIso20022, standardTemplate } from '../../rails/iso20022/index.ts';
import { accountReport, entry } from '../../rails/iso20022/test/account-report.ts';
import { anyFolder } from '../../rails/iso20022/test/any-folder.ts';
import { encryptedColumns, type TransferJobTools, transferJobs, transferRails } from './index.ts';

let isolation: Isolation;
let root: string;
beforeAll(async () => {
  isolation = await openIsolation();
  root = await mkdtemp(join(tmpdir(), 'florin-bank-'));
  await mkdir(join(root, 'incoming'));
  await isolation.owner.query(
    `create function refuse_marked() returns trigger language plpgsql as
       $$ begin raise exception 'the account of this entry is not set up'; end $$;
     create trigger refuse_marked before insert on account_credit for each row
       when (new.end_to_end_id like 'E-MARKED%') execute function refuse_marked()`,
  );
});
afterAll(async () => {
  await rm(root, { recursive: true });
  await isolation.close();
});

const setUp = () =>
  isolation.owner.query('alter table account_credit disable trigger refuse_marked');
const takeDown = () =>
  isolation.owner.query('alter table account_credit enable always trigger refuse_marked');

const jobs = (tools: Partial<TransferJobTools> = {}) => {
  const channel = { kind: 'FOLDER', root, own: anyFolder, settleMs: 0 } as const;
  const { tools: opened } = isolation.service;
  const folder = openIso20022({ template: standardTemplate, channel }, opened);
  return transferJobs({
    ...opened,
    transferRails: transferRails(() => folder, { SANDBOX: '', PRODUCTION: '' }),
    receivers: {},
    ...tools,
  });
};
const read = () => jobs().readBankMessages('SANDBOX');

type Message = {
  readonly reference: string;
  readonly reason: string;
  readonly isKept: boolean;
  readonly againAt: string | null;
};

/** Those that were put aside, of this file. */
const asideOf = async (name: string): Promise<readonly Message[]> => {
  const { body } = await isolation.service.operate('GET', '/bank-messages?size=100');
  return body.data.filter(({ reference }: Message) => reference.startsWith(name));
};
const takeAgain = async (reference: string) =>
  (
    await isolation.service.operate('POST', '/bank-messages/take-again', {
      ...{ environment: 'SANDBOX', reference },
    })
  ).status;
const creditsOf = async (endToEndId: string): Promise<number> =>
  (await isolation.rows('select 1 from account_credit where end_to_end_id = $1', [endToEndId]))
    .length;
const casesOf = (reference: string) =>
  isolation.rows(
    `select c.status, c.description, h.actor from operator_case c
     left join operator_case_history h using (case_id)
     where c.subject = 'SANDBOX ' || $1 order by c.opened_at`,
    [reference],
  );

const collectsOn = (accountNumber: string) =>
  isolation.rows(
    `update collecting_account set account_number = $1 where environment = 'SANDBOX'`,
    [accountNumber],
  );

/** A report that is put aside because it cannot be taken. */
const putAside = async (name: string, text: string): Promise<Message> => {
  await writeFile(join(root, 'incoming', name), text.replace('<MsgId>BANK-1', `<MsgId>${name}`));
  for (let round = 0; round < 4; round += 1) await read();
  const [message] = await asideOf(name);
  if (!message) throw new Error(`${name} is not put aside`);
  return message;
};
const marked = (at: number | string) => {
  const endToEndId = `E-MARKED-${at}`;
  return { endToEndId, text: accountReport(entry({ endToEndId, name: 'Ada Marrowbone' })) };
};

/** As a new master key would: none of the records is of this one. */
const encryptAgain = async (): Promise<void> => {
  const { tools } = isolation.service;
  const lines: string[] = [];
  const secrets = { ...tools.secrets, newestKeyId: Buffer.alloc(4) };
  await reencryptRecords({ ...tools, secrets }, encryptedColumns, async (line) => {
    lines.push(line);
  });
  expect(lines).toContain('bank_message.message_encrypted: 1 records encrypted again');
};

const callsToTakeAgain = `select actor, count(*)::int as calls from audit_record
  where action = 'takeBankMessageAgain' group by actor`;

test('a message that was put aside is taken again once its cause is mended, and booked once', async () => {
  await takeDown();
  const { endToEndId, text } = marked('ONE');
  const { reference, ...aside } = await putAside('one.xml', text);
  expect(aside).toMatchObject({
    ...{ isKept: true, againAt: null },
    reason: 'It cannot be taken: the account of this entry is not set up',
  });
  const [row] = await isolation.rows('select * from bank_message where reference = $1', [
    reference,
  ]);
  expect(row.message_encrypted.includes('Marrowbone')).toBe(false);
  expect(JSON.stringify(row)).not.toContain('Marrowbone');
  await encryptAgain();
  await setUp();
  const asked = await Promise.all([takeAgain(reference), takeAgain(reference)]);
  expect(asked).toEqual([200, 200]);
  expect(await asideOf('one.xml')).toMatchObject([{ againAt: expect.stringMatching(/Z$/) }]);
  await Promise.all([read(), read()]);
  expect([await asideOf('one.xml'), await creditsOf(endToEndId)]).toEqual([[], 1]);
  expect(await casesOf(reference)).toMatchObject([{ status: 'RESOLVED', actor: 'Ada' }]);
  expect(
    await isolation.rows(
      `select message_encrypted, again_at, again_by from bank_message where reference = $1`,
      [reference],
    ),
  ).toEqual([{ message_encrypted: null, again_at: null, again_by: null }]);
  expect(await takeAgain(reference)).toBe(404);
  expect(await isolation.rows(callsToTakeAgain)).toEqual([{ actor: 'Ada', calls: 3 }]);
});

test('a message whose cause is not mended is put aside again, with its new reason', async () => {
  await takeDown();
  const { endToEndId, text } = marked('TWO');
  const other = text.replace('00000190', '00000191');
  const { reference, reason } = await putAside('two.xml', other);
  expect(reason).toBe('It reports an account that is not the collecting account.');
  await collectsOn('00000191');
  expect(await takeAgain(reference)).toBe(200);
  expect(await read()).toBe(1);
  expect(await asideOf('two.xml')).toMatchObject([
    {
      ...{ isKept: true, againAt: null },
      reason: 'It cannot be taken: the account of this entry is not set up',
    },
  ]);
  expect(await casesOf(reference)).toMatchObject([
    { status: 'RESOLVED' },
    { status: 'OPEN', description: expect.stringContaining('is not set up') },
  ]);
  await setUp();
  expect(await takeAgain(reference)).toBe(200);
  await read();
  expect([await asideOf('two.xml'), await creditsOf(endToEndId)]).toEqual([[], 1]);
  await collectsOn('00000190');
});

test('a message is booked once, wherever the worker that takes it again is killed', async () => {
  const killable = openKillable();
  const database = killable.database(isolation.service.tools.database);
  const mortal = jobs({ database });
  const steps = await killable.killAfterEach({
    prepare: async (round) => {
      await takeDown();
      const { endToEndId, text } = marked(`KILLED-${round}`);
      const { reference } = await putAside(`killed-${round}.xml`, text);
      await setUp();
      expect(await takeAgain(reference)).toBe(200);
      return { endToEndId, reference, name: `killed-${round}.xml` };
    },
    work: () => mortal.readBankMessages('SANDBOX'),
    check: async ({ endToEndId, reference, name }, killed) => {
      await read();
      expect([await asideOf(name), await creditsOf(endToEndId)], killed).toEqual([[], 1]);
      expect(await casesOf(reference), killed).toMatchObject([{ status: 'RESOLVED' }]);
    },
  });
  expect(steps).toEqual(expect.arrayContaining(['credit_insert', 'bank_message_finish_again']));
});

test('what is longer than is kept, or holds a card number, says where it is left', async () => {
  await takeDown();
  const long = marked('LONG').text.replace(
    '</Ntry>',
    `<!--${'x'.repeat(limits.bankMessageKeptBytes)}--></Ntry>`,
  );
  const card = marked('CARD').text.replace('</Ntry>', '<!--4242 4242 4242 4242--></Ntry>');
  for (const [name, text] of [
    ['long.xml', long],
    ['card.xml', card],
  ] as const) {
    const { reference, isKept, reason } = await putAside(name, text);
    expect([name, isKept]).toEqual([name, false]);
    expect(reason).toMatch(/is not kept here: the file at the bank stays its source\.$/);
    expect((await casesOf(reference))[0].description).toContain('is not kept here');
    expect(await takeAgain(reference)).toBe(409);
  }
  expect(await takeAgain('none.xml@0')).toBe(404);
});

/** Put aside without its text. Answers what the bank sends again. */
const putAsideUnkept = async (name: string) => {
  await takeDown();
  const { endToEndId, text } = marked(name.toUpperCase());
  const card = text.replace('</Ntry>', '<!--4242 4242 4242 4242--></Ntry>');
  const { reference, isKept } = await putAside(`${name}.xml`, card);
  expect(isKept).toBe(false);
  await setUp();
  const again = card.replace('<MsgId>BANK-1', `<MsgId>${name}.xml`);
  const deliver = (file: string) => writeFile(join(root, 'incoming', file), again);
  return { endToEndId, reference, name, deliver };
};
type Unkept = Awaited<ReturnType<typeof putAsideUnkept>>;
const stateOf = async ({ endToEndId, reference, name }: Unkept) => ({
  credits: await creditsOf(endToEndId),
  aside: (await asideOf(name)).map(({ reason }) => reason),
  cases: await casesOf(reference),
});
const ended = { credits: 1, aside: [], cases: [{ status: 'RESOLVED', actor: 'The bank' }] };

test('what is not kept is taken when the bank sends it again, which ends the first delivery', async () => {
  const unkept = await putAsideUnkept('unkept');
  await unkept.deliver('unkept-second.xml');
  await Promise.all([read(), read()]);
  expect(await stateOf(unkept)).toMatchObject(ended);
  await unkept.deliver('unkept-third.xml');
  await read();
  expect(await stateOf(unkept)).toMatchObject({ ...ended, aside: ['It was delivered before.'] });
});

longTest(
  'what is sent again is booked once, wherever the worker that takes it is killed',
  async () => {
    const killable = openKillable();
    const mortal = jobs({ database: killable.database(isolation.service.tools.database) });
    const steps = await killable.killAfterEach({
      prepare: async (round) => {
        const unkept = await putAsideUnkept(`unkept-${round}-`);
        await unkept.deliver(`unkept-${round}-second.xml`);
        return unkept;
      },
      work: () => mortal.readBankMessages('SANDBOX'),
      check: async (unkept, killed) => {
        await read();
        expect(await stateOf(unkept), killed).toMatchObject(ended);
      },
    });
    expect(steps).toEqual(
      expect.arrayContaining(['bank_message_list_lost', 'bank_message_insert']),
    );
  },
);

test('the text of a message that nobody takes again is dropped after its time', async () => {
  await takeDown();
  const { reference } = await putAside('old.xml', marked('OLD').text);
  const prune = () => jobs().pruneKeptMessages();
  expect(await prune()).toBe(0);
  await isolation.rows(
    `update bank_message set received_at = received_at - $2 * interval '1 day'
     where reference = $1`,
    [reference, limits.bankMessageKeptDays],
  );
  expect([await prune(), await prune()]).toEqual([1, 0]);
  expect(await asideOf('old.xml')).toMatchObject([{ isKept: false }]);
  expect(await takeAgain(reference)).toBe(409);
});
