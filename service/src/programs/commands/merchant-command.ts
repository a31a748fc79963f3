import type { Tenant } from '#kernel/environment.ts';
import type { CommandTools } from './run-command.ts';

/** Answers what is written. */
export type MerchantCommand = (
  tools: CommandTools,
  tenant: Tenant,
  words: readonly string[],
) => Promise<string>;
