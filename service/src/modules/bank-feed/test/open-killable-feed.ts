import { openKillable } from '../../../../../test/harness/open-killable.ts';
import type { Uses } from '../../../platform/tools.ts';
import type { BankDataRail } from '../../../rails/bank-data-rail.ts';
import type { BankDataRails, DataRail } from '../authorisations/data-rails.ts';

type KillableTools = Uses<'database'> & { readonly bankDataRails: BankDataRails };

export type KillableFeed = ReturnType<typeof openKillableFeed>;

/** A program that can be killed after any of its statements and calls of a bank. */
export const openKillableFeed = () => {
  const killable = openKillable();
  const railOf = (rail: DataRail): DataRail =>
    Object.fromEntries(
      Object.entries(rail).map(([name, call]) => [
        name,
        calls.has(name)
          ? (...sent: unknown[]) => killable.step(name, () => (call as AnyCall)(...sent))
          : call,
      ]),
    ) as DataRail;
  const tools = <Given extends KillableTools>(given: Given): Given => {
    const { database, bankDataRails } = given;
    const wrapped: KillableTools = {
      database: killable.database(database),
      bankDataRails: {
        ...bankDataRails,
        find: (environment, institutionId) => {
          const rail = bankDataRails.find(environment, institutionId);
          return rail && railOf(rail);
        },
      },
    };
    return { ...given, ...wrapped };
  };
  return { tools, run: killable.run };
};

type AnyCall = (...sent: unknown[]) => Promise<unknown>;

const calls: ReadonlySet<string> = new Set<keyof BankDataRail>([
  'createConsent',
  'readReturn',
  'exchange',
  'refreshTokens',
  'readAccounts',
  'readBalance',
  'readTransactions',
  'readConsent',
  'revoke',
]);
