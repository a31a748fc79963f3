import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { countsFor, figures } from '../../service/src/modules/dashboard/money.ts';

const read = (path: string): Promise<string> =>
  readFile(new URL(`../../docs/${path}`, import.meta.url), 'utf8');

type Entry = { readonly account: string; readonly reason: string; readonly pence: bigint };

/** Every entry of the worked example, which a test of the running product writes. */
const readEntries = (page: string): readonly Entry[] => {
  let reason = '';
  return page.split('\n').flatMap((line) => {
    reason = /^`([A-Z_]+)`, /.exec(line)?.[1] ?? reason;
    const [, account = '', debit = '', credit = ''] =
      /^\| `([A-Z_]+)` \| (\d*) \| (\d*) \| -?\d+ \|$/.exec(line) ?? [];
    return account ? [{ account, reason, pence: BigInt(debit || 0) - BigInt(credit || 0) }] : [];
  });
};

const pounds = (pence: bigint): string => (Number(pence) / 100).toFixed(2);

test('the figures of the worked example are those that the dashboard adds up', async () => {
  const entries = readEntries(await read('rules/worked-example.md'));
  expect(entries.length).toBeGreaterThan(30);
  const figure = (name: keyof typeof figures): string => {
    const of = entries.filter((entry) => countsFor(figures[name], entry));
    return pounds(figures[name].sign * of.reduce((sum, { pence }) => sum + pence, 0n));
  };
  const table = (await read('WHY-TOTALS-DIFFER.md')).split('## A worked example')[1] ?? '';
  const shown = [...table.matchAll(/^\| ([a-z ]+?) +\| +(-?\d+\.\d\d) \|$/gm)];
  expect(shown.map(([, name, amount]) => [name, amount])).toEqual([
    ['sold', figure('SOLD')],
    ['reversed', figure('REVERSED')],
    ['refunded', figure('REFUNDED')],
    ['fees', figure('FEES')],
    ['paid out', figure('PAID_OUT')],
    ['payable', figure('PAYABLE')],
  ]);
  const held = entries.filter(({ account }) => account === 'COLLECTING_ACCOUNT');
  const collected = held.reduce((sum, { pence }) => sum + pence, 0n);
  expect(table).toContain(pounds(collected).replace('-', '-£'));
});
