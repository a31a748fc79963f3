import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isLongRun } from '../../../../test/harness/is-long-run.ts';
import { openTestService, type TestService } from '../../../../test/harness/open-test-service.ts';
import { outsideValues, spoilXml } from '../../../../test/harness/outside-values.ts';
import { openIso20022, standardTemplate } from '../../rails/iso20022/index.ts';
import { accountReport, entry } from '../../rails/iso20022/test/account-report.ts';
import { anyFolder } from '../../rails/iso20022/test/any-folder.ts';
import { statusReport } from '../../rails/iso20022/test/status-report.ts';
import { transferJobs, transferRails } from './index.ts';

const each = isLongRun ? outsideValues.length : 1;

let service: TestService;
let root: string;
beforeAll(async () => {
  const settings = { PRODUCTION_COLLECTING_ACCOUNT: '18-00-02 00000190 Florin' };
  service = await openTestService({ settings });
  root = await mkdtemp(join(tmpdir(), 'florin-bank-'));
  await mkdir(join(root, 'incoming'));
});
afterAll(async () => {
  await rm(root, { recursive: true });
  // Fails if a card number was stored.
  await service.close();
});

const waiting = () => readdir(join(root, 'incoming'));

const readAll = async (): Promise<void> => {
  const channel = { kind: 'FOLDER', root, own: anyFolder, settleMs: 0 } as const;
  const folder = openIso20022({ template: standardTemplate, channel }, service.tools);
  const { readBankMessages } = transferJobs({
    ...service.tools,
    transferRails: transferRails(() => folder, { SANDBOX: '', PRODUCTION: '' }),
    receivers: {},
  });
  let files = (await waiting()).length;
  // What cannot be taken is tried three times.
  for (let tries = 0; files > 0 && tries < 5; tries += 1) {
    await readBankMessages('PRODUCTION');
    const left = (await waiting()).length;
    if (left < files) tries = 0;
    files = left;
  }
};

const rows = <Row>(name: string, text: string) =>
  service.database.system<object, Row>({ name, text, valueNames: [] }, {});

test('whatever stands in a part of a bank’s message, the entry beside it counts and no message is stuck', {
  timeout: 600_000,
}, async () => {
  const returned = entry({ endToEndId: 'E-ODD', name: 'Ada', returned: 'AC04' });
  const report = accountReport(returned).replaceAll('BANK-1', 'NAME');
  const [before = '', after = ''] = report.split('</Ntry>');
  const beside = accountReport(entry({ endToEndId: 'E-NAME' })).match(/<Ntry>.*<\/Ntry>/s)?.[0];
  const reports = spoilXml(`${before}</Ntry>${after}`, each);
  const statuses = spoilXml(statusReport({ status: 'RJCT', reason: 'AC04' }), each);
  const wholes = outsideValues.slice(0, 8).map((value) => ({ place: 'all', value }));
  const said = new Map<string, string>();
  for (const [at, { place, value }] of [...reports, ...statuses, ...wholes].entries()) {
    const name = `F${at}`;
    const text = value
      .replace('</Ntry>', () => `</Ntry>${beside}`)
      .replaceAll('NAME', name)
      .replaceAll('BANK-1', name);
    said.set(name, `${name} ${place}`);
    await writeFile(join(root, 'incoming', `${name}.xml`), text);
  }
  await readAll();
  expect(await waiting()).toEqual([]);
  const credited = await rows<{ end_to_end_id: string }>(
    'test_outside_credits',
    `select end_to_end_id from account_credit where end_to_end_id like 'E-F%'`,
  );
  const asides = await rows<{ reference: string; quarantine_reason: string }>(
    'test_outside_messages',
    'select reference, quarantine_reason from bank_message where quarantine_reason is not null',
  );
  const whole = new Set(asides.map(({ reference }) => reference));
  const counted = new Set(credited.map((row) => row.end_to_end_id));
  const lost = reports.flatMap(({ place }, at) =>
    counted.has(`E-F${at}`) || isOfWholeReport.test(place) ? [] : `F${at} ${place}`,
  );
  expect(lost).toEqual([]);
  expect(whole.size).toBeGreaterThan(statuses.length);
  expect(
    asides.filter((row) => /cannot be taken|reader fails/.test(row.quarantine_reason)),
  ).toEqual([]);
});

/** What says of what account and which message it is: without it nothing of the report is believed. */
const isOfWholeReport = /^(MsgId|CreDtTm|Id|MmbId) =|\\u0000|\\u001b|\uffff/;
