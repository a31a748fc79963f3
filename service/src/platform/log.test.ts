import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openLog } from './log.ts';
import { openTerminalLog } from './terminal-log.ts';

it('a log line shows no card number from any source', () => {
  const lines: string[] = [];
  const log = openLog('debug', 'test', { write: (line: string) => lines.push(line) });
  const error = new Error('cannot read 4000-0000-0000-0127');
  log.error({ stack: error.stack, path: '/a?b=4242%204242%204242%204242' }, 'of 5555555555550127');
  log.warn({ card: 4242424242424242, at: '2026-11-21T07:02:36.123Z', secret: { x: 1 } }, 'odd');
  const [first, second] = lines.map((line) => JSON.parse(line));
  expect(first).toMatchObject({ path: '/a?b=****4242', msg: 'of ****0127', program: 'test' });
  expect(first.stack).toMatch(/^Error: cannot read \*\*\*\*0127\n {4}at /);
  expect(second).toMatchObject({ card: '****4242', at: '2026-11-21T07:02:36.123Z' });
  expect(second.time).toBeGreaterThan(1_700_000_000_000);
});

it('a person at a terminal reads warnings and errors as sentences; a file keeps every line', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'florin-log-'));
  const file = join(folder, 'florin.log');
  const shown: string[] = [];
  const log = openTerminalLog('info', 'start', file, (text) => shown.push(text));
  log.info({ bank: 'x' }, 'bank answered');
  log.warn({}, 'the database ended and is started again');
  log.error({ error: 'no \u001b[2J4242 4242 4242 4242', stack: 'at x', of: {} }, 'it failed');
  expect(shown.map((text) => text.replace(/^\d\d:\d\d:\d\d /, ''))).toEqual([
    'warning: the database ended and is started again\n',
    'error: it failed (error no  [2J****4242)\n',
  ]);
  expect((await readFile(file, 'utf8')).trim().split('\n')).toHaveLength(3);
  await writeFile(file, 'x'.repeat(10_000_001));
  openTerminalLog('info', 'start', file, () => undefined).info({}, 'after a start');
  expect((await readdir(folder)).sort()).toEqual(['florin.log', 'florin.log.1']);
  expect(await readFile(file, 'utf8')).toMatch(/^\{.*"msg":"after a start"\}\n$/);
  await rm(folder, { recursive: true });
});
