import { expect, it } from 'vitest';
import { openLog } from './log.ts';

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
