import { reencryptClosed } from '#modules/cells/index.ts';
import { type CommandProcess, namedTenant, type OperatorCommands } from '#platform/command.ts';
import { reencryptRecords } from '#platform/secrets/reencrypt-records.ts';
import { reencryptPurposeKeys } from '#platform/secrets/stored-purpose-keys.ts';
import { modules, partsOf } from '../wiring/modules.ts';
import { afterRestore } from './after-restore.ts';
import { explaining, runCommand } from './run-command.ts';

const installation: OperatorCommands = {
  use: `
  rotate-master-key            encrypt again, with the first key of FLORIN_MASTER_KEY, what others
                               encrypted: when it is done they can be removed`,
  run: {
    'rotate-master-key': async (tools) => {
      const report = (line: string) => tools.write(`${line}\n`);
      await report(`${await reencryptPurposeKeys(tools)} keys of purposes encrypted again`);
      const columns = partsOf('encryptedColumns');
      const open = await reencryptRecords(tools, columns, report);
      const closed = await reencryptClosed(tools, columns, report);
      const left = open.count + closed.count;
      const unreadable = open.unreadable + closed.unreadable;
      if (left === 0) return 'No record needs another key than the first: others can be removed.';
      if (left > unreadable)
        throw new Error(`${left} records were written under another key meanwhile: run it again.`);
      throw new Error(
        `${left} records cannot be decrypted with these keys, and stayed as they were: name the key that ` +
          'encrypted them too, or restore them from a backup, and run it again.',
      );
    },
  },
};

const all = [
  ...modules.flatMap(({ operatorCommands }) => operatorCommands ?? []),
  installation,
  afterRestore,
];
const commands = Object.assign({}, ...all.map(({ run }) => run)) as OperatorCommands['run'];
const use = `Use: npm run operator -- <what>\n${all.map((each) => each.use).join('')}`;

/** What the operator does for the whole installation. */
export const operate = async (
  [what = '', ...words]: readonly string[],
  process: CommandProcess,
): Promise<void> => {
  const command = Object.hasOwn(commands, what) ? commands[what] : undefined;
  if (!command) throw new Error(use);
  const tenants = words.map((word, at) => namedTenant(word, words[at + 1] ?? ''));
  const tenant = tenants.find((named) => named !== null) ?? null;
  const recorded = { action: `operator ${what}`, tenant, words };
  await runCommand(process, recorded, (tools) => command(tools, words)).catch(explaining(use));
};
