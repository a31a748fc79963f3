import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { OperatorAccess } from './open-stores.ts';

const run = promisify(execFile);
const program = fileURLToPath(new URL('../../service/src/programs/operate.ts', import.meta.url));
const lentForMs = 600_000;

/** By the operator's own command, as the README shows it; both acts are in the audit records. */
export const lendOperatorSecret: OperatorAccess['withSecret'] = async (use) => {
  const expires = new Date(Date.now() + lentForMs).toISOString();
  const made = await operate('create-operator-secret', 'Demo data', expires);
  const [, id = '', secret = ''] = /^Operator secret (\S+), .*\n\n(\S+)/.exec(made) ?? [];
  try {
    return await use(secret);
  } finally {
    await operate('revoke-operator-secret', id);
  }
};

const operate = async (...words: readonly string[]): Promise<string> =>
  (await run(process.execPath, ['--import', 'tsx', program, ...words])).stdout;
