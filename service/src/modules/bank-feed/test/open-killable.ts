import type { Uses } from '#platform/tools.ts';
import type { BankDataRail } from '../../../rails/bank-data-rail.ts';
import type { BankDataRails, DataRail } from '../authorisations/bank-data-rails.ts';

type KillableTools = Uses<'database'> & { readonly bankDataRails: BankDataRails };

export type Killable = ReturnType<typeof openKillable>;

/**
 * A program that can be killed after any of its statements and calls of a bank: that one never comes back, as
 * in a process that is gone. What happens afterwards is another program's.
 */
export const openKillable = () => {
  let steps: string[] = [];
  let killAfter = Number.POSITIVE_INFINITY;
  let die: () => void = () => undefined;
  const step = async <Value>(name: string, run: () => Promise<Value>): Promise<Value> => {
    const value = await run();
    steps.push(name);
    if (steps.length !== killAfter) return value;
    die();
    return new Promise(() => undefined);
  };
  const railOf = (rail: DataRail): DataRail =>
    Object.fromEntries(
      Object.entries(rail).map(([name, call]) => [
        name,
        calls.has(name)
          ? (...sent: unknown[]) => step(name, () => (call as AnyCall)(...sent))
          : call,
      ]),
    ) as DataRail;
  const tools = <Given extends KillableTools>(given: Given): Given => {
    const { database, bankDataRails } = given;
    const killable: KillableTools = {
      database: {
        ...database,
        tenant: (merchantId, statement, values) =>
          step(statement.name, () => database.tenant(merchantId, statement, values)),
        batched: (tenant, forMany, item) =>
          step(forMany.statement.name, () => database.batched(tenant, forMany, item)),
        system: (statement, values) =>
          step(statement.name, () => database.system(statement, values)),
      },
      bankDataRails: {
        ...bankDataRails,
        find: (environment, institutionId) => {
          const rail = bankDataRails.find(environment, institutionId);
          return rail && railOf(rail);
        },
      },
    };
    return { ...given, ...killable };
  };
  /** Ends when the program has done all, or is dead. Answers its steps. */
  const run = async (work: () => Promise<unknown>, after?: number): Promise<readonly string[]> => {
    steps = [];
    killAfter = after ?? Number.POSITIVE_INFINITY;
    const dead = new Promise<void>((resolve) => {
      die = resolve;
    });
    await Promise.race([work(), dead]);
    killAfter = Number.POSITIVE_INFINITY;
    return steps;
  };
  return { tools, run };
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
