import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';

/** Who PostgreSQL runs as. It refuses to run as root, so root lends it another number. */
export type Account = {
  readonly prefix: readonly string[];
  readonly uid?: number;
  readonly gid?: number;
};

export type AccountKind = 'namespace' | 'setuid';

export type CommandResult = { readonly code: number; readonly output: string };

// No environment variable of the caller (PGDATA, LD_PRELOAD, TZ) may change what the server does.
export const serverEnvironment = {
  LC_ALL: 'C',
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
};

const commandTimeoutMs = 120_000;

export const runAs = (account: Account, command: readonly string[]): Promise<CommandResult> => {
  const [program = '', ...args] = [...account.prefix, ...command];
  const { uid, gid } = account;
  return new Promise((resolve) => {
    execFile(
      program,
      args,
      { uid, gid, cwd: '/', env: serverEnvironment, timeout: commandTimeoutMs },
      (error, stdout, stderr) => {
        const output = `${stdout}${stderr}`.trim();
        if (!error) return resolve({ code: 0, output });
        const code = typeof error.code === 'number' ? error.code : 1;
        resolve({ code, output: output || error.message });
      },
    );
  });
};

export const canReach = async (account: Account, folder: string): Promise<boolean> =>
  (await runAs(account, ['/bin/sh', '-c', 'cd "$1"', 'reach', folder])).code === 0;

const ownAccount: Account = { prefix: [] };

/** An existing cluster keeps its owner; a new one prefers a namespace: its files stay root's. */
export const chooseAccount = async (
  dataFolder: string,
  kinds: readonly AccountKind[],
): Promise<Account> => {
  if (process.getuid?.() !== 0) return ownAccount;
  const owner = await stat(dataFolder).catch(() => undefined);
  if (owner && owner.uid !== 0) return { prefix: [], uid: owner.uid, gid: owner.gid };
  const lent = await findLentUser();
  const namespace: Account = { prefix: ['unshare', '--user', `--map-user=${lent.uid}`, '--'] };
  if (kinds.includes('namespace') && (await runAs(namespace, ['true'])).code === 0) {
    return namespace;
  }
  return { prefix: [], ...lent };
};

// initdb looks its user up, so a number without an entry in the list of users would not do.
const findLentUser = async (): Promise<{ readonly uid: number; readonly gid: number }> => {
  const list = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const users = list
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter((user) => user.uid > 0);
  const chosen =
    users.find((user) => user.name === 'postgres') ??
    users.find((user) => user.name === 'nobody') ??
    users[0];
  if (!chosen) throw new Error('PostgreSQL cannot run as root, and this system has no other user.');
  return { uid: chosen.uid, gid: chosen.gid };
};
