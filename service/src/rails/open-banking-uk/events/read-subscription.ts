import type { Bank } from '../bank/bank.ts';
import { callAsClient } from '../bank/call-as-client.ts';
import { listOf, objectAt, textOf } from '../messages/read-json.ts';

export type Subscription = {
  readonly id: string;
  readonly version: string;
  readonly callbackUrl: string | null;
  /** Null: all that the bank sends. */
  readonly eventTypes: readonly string[] | null;
};

export type Subscribed =
  | { readonly kind: 'READ'; readonly subscription: Subscription | null }
  | { readonly kind: 'NOT_READ'; readonly why: string };

/** Our subscription at a bank: a bank has one for each client, some have one for each version. */
export const readSubscription = async (bank: Bank): Promise<Subscribed> => {
  const { profile, tools } = bank;
  const answer = await callAsClient(bank, {
    operation: 'read event subscription',
    path: subscriptionsPath,
    interactionId: tools.ids.uuid(),
    aside: { baseUrl: profile.eventsUrl ?? '' },
  });
  if (answer.kind === 'NOTHING') return { kind: 'NOT_READ', why: answer.why };
  if (answer.status !== 200)
    return { kind: 'NOT_READ', why: `the bank answered with status ${answer.status}` };
  const all = listOf(objectAt(answer.body, 'Data'), 'EventSubscription').flatMap(subscriptionFrom);
  const ofVersion = all.find(({ version }) => version.startsWith(profile.version));
  return { kind: 'READ', subscription: ofVersion ?? all[0] ?? null };
};

export const subscriptionsPath = '/event-subscriptions';

const subscriptionFrom = (value: unknown): readonly Subscription[] => {
  const data = objectAt(value);
  const id = textOf(data, 'EventSubscriptionId', 128);
  if (!data || id === undefined) return [];
  const types = listOf(data, 'EventTypes').filter((each) => typeof each === 'string');
  const version = textOf(data, 'Version') ?? '';
  const callbackUrl = textOf(data, 'CallbackUrl', 2_048) ?? null;
  return [{ id, version, callbackUrl, eventTypes: types.length > 0 ? types : null }];
};
