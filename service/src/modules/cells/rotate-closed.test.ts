import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestService, type TestService } from '../../../../test/harness/open-test-service.ts';
import { runCommand } from '../../../../test/harness/programs/run-command.ts';
import { openSecrets } from '../../platform/secrets/open-secrets.ts';
import { storedPurposeKeys } from '../../platform/secrets/stored-purpose-keys.ts';
import { encryptedColumns, rotateSigningSecret } from '../webhooks/index.ts';
import { fence, openFence } from './store/carry-rows.ts';
import { rowsOf } from './store/moves.ts';
import { withThisCell } from './store/open-cells.ts';

const [old, newer] = [randomBytes(32), randomBytes(32)];
let service: TestService;
let closed: string;
beforeAll(async () => {
  service = await openTestService({ tools: { secrets: openSecrets([old]) } });
  await storedPurposeKeys(service.tools, service.tools.secrets);
  closed = (await service.newMerchant()).merchantId;
  const merchants = [service.merchant.merchantId, closed];
  for (const merchantId of merchants)
    await rotateSigningSecret(service.tools, { merchantId, environment: 'SANDBOX' }, 0);
  await inCell((cell) => fence(cell, closed));
});
afterAll(() => service.close());

const inCell = <Answer>(run: Parameters<typeof withThisCell<Answer>>[1]) =>
  withThisCell({ settings: { CELL_DATABASE_URL: service.databaseUrl } }, run);

const becomes = (status: string) =>
  inCell((cell) =>
    cell.query(
      `with other as (insert into cell (address) values ('http://127.0.0.1:9')
         on conflict (address) do update set address = excluded.address returning cell_id)
       insert into cell_move (merchant_id, move_id, version, status, other_cell_id, moved_by)
       select $1, gen_random_uuid(), 1, $2, cell_id, 'a test' from other
       on conflict (merchant_id) do update set status = excluded.status`,
      [closed, status],
    ),
  );

const rotate = (settings = {}) =>
  runCommand('operate.ts', ['rotate-master-key'], {
    DATABASE_URL: service.databaseUrl,
    FLORIN_MASTER_KEY: [newer, old].map((key) => key.toString('base64')).join(','),
    ...settings,
  });

/** The merchants whose signing secrets the new key alone opens. */
const readable = () =>
  inCell(async (cell) => {
    const secrets = openSecrets([newer]);
    const [, column] = encryptedColumns;
    if (column?.table !== 'webhook_signing_secret') throw new Error('another column is meant');
    const found = await rowsOf<{ row: Record<string, string>; record: Buffer }>(
      cell,
      'select to_jsonb(s) as row, secret_encrypted as record from webhook_signing_secret s',
    );
    return found.flatMap(({ row, record }) => {
      try {
        secrets.decrypt(record, column.contextOf(row));
        return [row.merchant_id];
      } catch {
        return [];
      }
    });
  });

const cellOf = () => ({ CELL_DATABASE_URL: service.databaseUrl });

test.each(['ARRIVING', 'PAUSED'])(
  'a rotation of the key is not done while a merchant is on its way: %s',
  async (status) => {
    await becomes(status);
    const ran = await rotate(cellOf());
    expect(ran).toMatchObject({ code: 1, out: expect.not.stringContaining('No record') });
    expect(ran.said).toContain(`${closed} is being moved`);
    expect(await readable()).toEqual([service.merchant.merchantId]);
  },
);

test('a copy that stays closed after a move is named, until it is rotated too', async () => {
  await becomes('GONE');
  const without = await rotate();
  expect(without).toMatchObject({ code: 1, out: expect.not.stringContaining('No record') });
  expect(without.said).toContain(closed);
  expect(without.said).toContain('CELL_DATABASE_URL');
  expect(await readable()).toEqual([service.merchant.merchantId]);

  const ran = await rotate(cellOf());
  expect(ran, ran.said).toMatchObject({ code: 0 });
  expect(ran.out).toContain('No record needs another key');
  expect(new Set(await readable())).toEqual(new Set([service.merchant.merchantId, closed]));
  // Nothing of it is left to rotate: the address of the cell is not asked for again.
  await inCell((cell) => cell.query('update cell_move set is_removed = true'));
  expect(await rotate()).toMatchObject({ code: 0 });
  await inCell((cell) => openFence(cell, closed));
});
