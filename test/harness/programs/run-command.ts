import type { CommandProcess } from '../../../service/src/platform/command.ts';
import { keepBackup } from '../../../service/src/programs/backup/keep-backup.ts';
import { configureMerchant } from '../../../service/src/programs/commands/configure-merchant.ts';
import { diagnoseOrigin } from '../../../service/src/programs/commands/diagnose-origin.ts';
import { manageCardAccounts } from '../../../service/src/programs/commands/manage-card-accounts.ts';
import { operate } from '../../../service/src/programs/commands/operate.ts';
import { registerFirm } from '../../../service/src/programs/commands/register-firm.ts';
import { verifyAudit } from '../../../service/src/programs/commands/verify-audit.ts';
import { promoteStandby } from '../../../service/src/programs/installation/promote-standby.ts';
import { failureLine } from '../../../service/src/programs/process/stop-on-signal.ts';

const commands = {
  'operate.ts': operate,
  'configure-merchant.ts': configureMerchant,
  'manage-card-accounts.ts': manageCardAccounts,
  'audit.ts': verifyAudit,
  'backup.ts': keepBackup,
  'register-at-bank.ts': registerFirm,
  'doctor.ts origin': diagnoseOrigin,
  'promote-standby.ts': (_words: readonly string[], process: CommandProcess) =>
    promoteStandby(process),
};

export type CommandProgram = keyof typeof commands;

export type Ran = { readonly code: number; readonly out: string; readonly said: string };

/** A command of the operator, in this process, with what `spawnCommand` would answer. */
export const runCommand = async (
  program: CommandProgram,
  words: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<Ran> => {
  let out = '';
  let said = '';
  const code = await commands[program](words, {
    settings: { ...process.env, ...settings },
    write: async (text) => {
      out += text;
    },
    writeError: (text) => {
      said += text;
    },
  }).then(
    () => 0,
    (error: unknown) => {
      said += failureLine(error);
      return 1;
    },
  );
  return { code, out, said };
};
