import { type CommandProcess, type MerchantCommands, namedTenant } from '#platform/command.ts';
import { modules } from '../wiring/modules.ts';
import { explaining, runCommand } from './run-command.ts';

const all = modules.flatMap(({ merchantCommands }) => merchantCommands ?? []);
const commands = Object.assign({}, ...all.map(({ run }) => run)) as MerchantCommands['run'];
const use =
  'Use: npm run merchant -- <merchantId> <sandbox|production> <what>\n' +
  all.map((each) => each.use).join('');

/** What the operator may do for a merchant in production. */
export const configureMerchant = async (
  [merchantId = '', environmentWord = '', what = '', ...words]: readonly string[],
  process: CommandProcess,
): Promise<void> => {
  const tenant = namedTenant(merchantId, environmentWord);
  const command = Object.hasOwn(commands, what) ? commands[what] : undefined;
  if (!tenant || !command) throw new Error(use);
  const recorded = { action: `merchant ${what}`, tenant, words };
  await runCommand(process, recorded, (tools) => command(tools, tenant, words)).catch(
    explaining(use),
  );
};
