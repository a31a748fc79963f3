import { type Environment, environments } from '#kernel/environment.ts';
import type { Uses } from '#platform/tools.ts';
import { type BankEvents, bankEventsPath } from '#rails/bank-rail.ts';
import type { BankRails } from '../../core/bank-rails.ts';

const readEveryMs = 3_600_000;
const firstPauseMs = 1_000;

type SubscribeTools = Uses<'clock' | 'log'> & { readonly bankRails: Pick<BankRails, 'find'> };

type Plan = { readonly atMs: number; readonly failures: number };

/**
 * Sees every hour, and soon after a failure, that the banks send their notifications here (BANK-22).
 * Whether they do changes no outcome: payments are polled anyway. So no caller waits for it.
 */
export const subscribeToBanks = (tools: SubscribeTools, publicUrl: string) => {
  const plans = new Map<string, Plan>();
  const subscribe = async (
    environment: Environment,
    institutionId: string,
    events: BankEvents,
  ): Promise<void> => {
    const name = `${environment} ${institutionId}`;
    const { atMs, failures } = plans.get(name) ?? { atMs: 0, failures: 0 };
    if (tools.clock.now().getTime() < atMs) return;
    const baseUrl = `${publicUrl}${bankEventsPath}/${environment.toLowerCase()}`;
    const outcome = await events.subscribe(institutionId, baseUrl);
    const isFailed = outcome.kind === 'REFUSED' || outcome.kind === 'UNKNOWN';
    const pauseMs = isFailed ? Math.min(firstPauseMs * 2 ** failures, readEveryMs) : readEveryMs;
    const next = tools.clock.now().getTime() + pauseMs;
    plans.set(name, { atMs: next, failures: isFailed ? failures + 1 : 0 });
    if (isFailed && failures === 0)
      tools.log.warn(
        { institutionId, environment, why: outcome.description },
        'a bank does not send its notifications here: its payments are polled',
      );
  };
  return async (): Promise<number> => {
    const banks = environments.flatMap((environment) => {
      const events = tools.bankRails.find(environment)?.events;
      return events && isReachable(environment, publicUrl)
        ? events.institutionIds().map((id) => subscribe(environment, id, events))
        : [];
    });
    await Promise.all(banks);
    return 0;
  };
};

/** A real bank calls no other address than one that the public reaches. */
const isReachable = (environment: Environment, publicUrl: string): boolean =>
  environment === 'SANDBOX' || publicUrl.startsWith('https:');
