import { failures, limits } from '@florin/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Environment, environments } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { openCases, resolveCaseOf } from '#modules/operator-cases/index.ts';
import { errorText } from '#platform/database/stuck-rows.ts';
import type { Uses } from '#platform/tools.ts';
import { type BankEvents, bankEventsPath, type NotificationOutcome } from '#rails/bank-rail.ts';
import type { BankRails } from '../core/bank-rails.ts';
import { hurryPoll, type Named } from './store.ts';

const readEveryMs = 3_600_000;
const firstPauseMs = 1_000;
/** About a minute: a bank that restarts is no case. */
const failuresOfCase = 6;

type SubscribeTools = Uses<'clock' | 'database' | 'log'> & {
  readonly bankRails: Pick<BankRails, 'find'>;
};

type Bank = {
  readonly environment: Environment;
  readonly institutionId: string;
  readonly events: BankEvents;
};

type Plan = {
  readonly atMs: number;
  readonly failures: number;
  /** The bank has not answered yet. */
  readonly isAsked: boolean;
};

const nameOf = ({ environment, institutionId }: Bank): string => `${environment} ${institutionId}`;

/**
 * Sees every hour, and soon after a failure, that the banks send their notifications here (BANK-22).
 * Whether they do changes no outcome: payments are polled anyway. So nobody waits for a bank's answer.
 */
export const subscribeToBanks = (tools: SubscribeTools, publicUrl: string) => {
  const plans = new Map<string, Plan>();
  const now = (): number => tools.clock.now().getTime();
  const subscribe = async (bank: Bank): Promise<void> => {
    const name = nameOf(bank);
    const plan = plans.get(name) ?? { atMs: 0, failures: 0, isAsked: false };
    if (plan.isAsked || now() < plan.atMs) return;
    plans.set(name, { ...plan, isAsked: true });
    const reason = await ask(bank, publicUrl);
    const failures = reason === null ? 0 : plan.failures + 1;
    const pauseMs = reason === null ? readEveryMs : firstPauseMs * 2 ** plan.failures;
    plans.set(name, {
      ...{ failures, isAsked: false },
      atMs: now() + Math.min(pauseMs, readEveryMs),
    });
    await tell(tools, bank, reason, failures);
  };
  return async (): Promise<number> => {
    for (const bank of banksOf(tools, publicUrl))
      subscribe(bank).catch((error: unknown) =>
        tools.log.warn({ bank: nameOf(bank), error: errorText(error) }, 'no case was written'),
      );
    return 0;
  };
};

const banksOf = ({ bankRails }: SubscribeTools, publicUrl: string): readonly Bank[] =>
  environments.flatMap((environment) => {
    const events = bankRails.find(environment)?.events;
    if (!events || !isReachable(environment, publicUrl)) return [];
    return events.institutionIds().map((institutionId) => ({ environment, institutionId, events }));
  });

/** A real bank calls no other address than one that the public reaches. */
const isReachable = (environment: Environment, publicUrl: string): boolean =>
  environment === 'SANDBOX' || publicUrl.startsWith('https:');

/** Why the bank does not send its notifications here; null: it does. */
const ask = async (bank: Bank, publicUrl: string): Promise<string | null> => {
  const baseUrl = `${publicUrl}${bankEventsPath}/${bank.environment.toLowerCase()}`;
  try {
    const outcome = await bank.events.subscribe(bank.institutionId, baseUrl);
    return 'description' in outcome ? errorText(outcome.description) : null;
  } catch (error) {
    return errorText(error);
  }
};

const tell = async (
  tools: SubscribeTools,
  bank: Bank,
  reason: string | null,
  failures: number,
): Promise<void> => {
  const { environment, institutionId } = bank;
  if (reason === null)
    return resolveCaseOf(tools, 'BANK_NOT_SUBSCRIBED', nameOf(bank), {
      actor: 'Florin',
      resolution: 'The bank sends its notifications here again.',
    });
  if (failures === 1)
    tools.log.warn(
      { institutionId, environment, why: reason },
      'a bank does not send its notifications here: its payments are polled',
    );
  if (failures !== failuresOfCase) return;
  const description =
    'A bank does not send its notifications here. Its payments are polled, so that outcomes come ' +
    'later. It is asked each hour, and the case ends by itself when it agrees.';
  const evidence = { environment, institutionId, reason };
  const subject = nameOf(bank);
  await openCases(tools, [{ kind: 'BANK_NOT_SUBSCRIBED', subject, description, evidence }]);
};

/** Reads the accounts of a consent soon: the bank says that something of it has changed. */
export type HurryRefresh = (named: Named) => Promise<void>;

type RouteTools = Uses<'database'> & {
  readonly bankRails: Pick<BankRails, 'find'>;
  readonly hurryRefresh: HurryRefresh;
};

/**
 * What a bank tells us by itself makes a read of ours due, and nothing of it is believed (BANK-22).
 * Some banks add the name of the resource to the address that we gave them, some do not.
 */
export const eventRoutes = (app: FastifyInstance, tools: RouteTools): void => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/jwt',
    { parseAs: 'string', bodyLimit: limits.bankEventBytes },
    (_request, body, done) => done(null, body),
  );
  const address = `${bankEventsPath}/:environment/:institutionId/open-banking/:version`;
  for (const path of [address, `${address}/event-notifications`])
    app.post(path, async (request, reply) => {
      const { events, ...bank } = findBank(tools, request);
      if (typeof request.body !== 'string') throw wrongType();
      const outcome = await events.readNotification(bank.institutionId, request.body.trim());
      // Committed before the answer: a killed process loses none that the bank takes for received.
      await follow(tools, bank, outcome);
      // The same for what is not known here: no caller finds out ids by asking.
      return reply.code(202).send();
    });
};

type NotifyingBank = Pick<Named, 'environment' | 'institutionId'> & {
  readonly events: BankEvents;
};

const findBank = (
  { bankRails }: Pick<RouteTools, 'bankRails'>,
  { params }: FastifyRequest,
): NotifyingBank => {
  const { environment: word, institutionId } = params as Record<string, string>;
  const environment = environments.find((known) => known.toLowerCase() === word);
  const events = environment && bankRails.find(environment)?.events;
  if (!events || institutionId === undefined || !events.institutionIds().includes(institutionId))
    throw new Failure(failures.notFound, { message: 'No bank sends notifications here.' });
  return { environment, institutionId, events };
};

const follow = async (
  tools: RouteTools,
  { environment, institutionId }: Omit<NotifyingBank, 'events'>,
  outcome: NotificationOutcome,
): Promise<void> => {
  if (outcome.kind === 'INVALID')
    throw new Failure(failures.badRequest, { message: outcome.description });
  if (outcome.kind === 'UNKNOWN')
    throw new Failure(failures.unavailable, { message: outcome.description });
  if (outcome.kind === 'UNUSED') return;
  const named = { environment, institutionId, reference: outcome.reference };
  if (outcome.kind === 'PAYMENT') await tools.database.system(hurryPoll, named);
  else await tools.hurryRefresh(named);
};

const wrongType = (): Failure =>
  new Failure(failures.unsupportedMediaType, {
    message: 'Send the notification with "Content-Type: application/jwt".',
  });
