import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { isLongRun } from '../../../../test/harness/is-long-run.ts';

const module = new URL('./stop-on-signal.ts', import.meta.url).href;

/** What a program prints when it ends by this. */
const lastWords = async (main: string): Promise<{ code: unknown; stderr: string }> => {
  const program = `const { runProgram } = await import('${module}'); runProgram(${main});`;
  return promisify(execFile)(process.execPath, [
    ...['--import', 'tsx', '--input-type=module', '--eval', program],
  ]).then(
    () => ({ code: 0, stderr: '' }),
    (error: { code: unknown; stderr: string }) => error,
  );
};

const endings = [
  ['fails', `async () => { throw new Error('cannot read 4242-4242-4242-4242'); }`],
  [
    'throws uncaught',
    `async () => { setTimeout(() => { throw new Error('cannot read 4242 4242 4242 4242'); }); }`,
  ],
  ['leaves a promise', `async () => { void Promise.reject(new Error('4242424242424242')); }`],
] as const;
it.each(isLongRun ? endings : endings.slice(1, 2))(
  'a program that %s ends without logging a card number',
  async (_, main) => {
    const { code, stderr } = await lastWords(main);
    expect(code).toBe(1);
    expect(stderr).toContain('****4242');
    expect(stderr).not.toMatch(/4242.?4242/);
  },
);
