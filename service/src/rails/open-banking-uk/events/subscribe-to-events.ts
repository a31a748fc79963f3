import type { SubscriptionOutcome } from '#rails/bank-rail.ts';
import type { Bank } from '../bank/bank.ts';
import { callAsClient } from '../bank/call-as-client.ts';
import { refusal, unanswered, unknown } from '../bank/classify-refusal.ts';
import { callbackUrlAt } from './callback-url-at.ts';
import { readSubscription, type Subscription, subscriptionsPath } from './read-subscription.ts';

const eventTypes = [
  'urn:uk:org:openbanking:events:resource-update',
  'urn:uk:org:openbanking:events:consent-authorization-revoked',
] as const;

/** Subscribes, or changes what is not as we want it. */
export const subscribeToEvents = async (
  bank: Bank,
  baseUrl: string,
): Promise<SubscriptionOutcome> => {
  const callbackUrl = callbackUrlAt(bank.profile, baseUrl);
  const found = await readSubscription(bank);
  if (found.kind === 'NOT_READ') return unknown(`The subscription cannot be read: ${found.why}.`);
  const { subscription } = found;
  return subscription && isAsWanted(subscription, callbackUrl)
    ? { kind: 'UNCHANGED' }
    : write(bank, callbackUrl, subscription);
};

const write = async (
  bank: Bank,
  callbackUrl: string,
  subscription: Subscription | null,
): Promise<SubscriptionOutcome> => {
  const answer = await callAsClient(bank, {
    operation: 'write event subscription',
    path: subscription
      ? `${subscriptionsPath}/${encodeURIComponent(subscription.id)}`
      : subscriptionsPath,
    interactionId: bank.tools.ids.uuid(),
    submission: { body: bodyOf(bank, callbackUrl, subscription) },
    aside: { baseUrl: bank.profile.eventsUrl ?? '', ...(subscription && { method: 'PUT' }) },
  });
  if (answer.kind === 'NOTHING') return unanswered(answer.why);
  // Another process of ours was first.
  if (answer.status === 409) return { kind: 'UNCHANGED' };
  if (answer.status < 300) return { kind: subscription ? 'CHANGED' : 'CREATED' };
  if (answer.status >= 500) return unknown(`The bank answered with status ${answer.status}.`);
  return refusal(bank.codec.readError(answer.body)?.codes[0] ?? `HTTP_${answer.status}`);
};

const isAsWanted = (
  { callbackUrl, eventTypes: subscribed }: Subscription,
  wanted: string,
): boolean =>
  callbackUrl === wanted &&
  (subscribed === null || eventTypes.every((type) => subscribed.includes(type)));

const bodyOf = (
  { profile }: Bank,
  callbackUrl: string,
  subscription: Subscription | null,
): string =>
  JSON.stringify({
    Data: {
      ...(subscription && { EventSubscriptionId: subscription.id }),
      CallbackUrl: callbackUrl,
      Version: profile.version,
      EventTypes: eventTypes,
    },
  });
