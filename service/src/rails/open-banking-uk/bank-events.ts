import { type JWTPayload, jwtVerify } from 'jose';
import type { BankEvents, NotificationOutcome, SubscriptionOutcome } from '#rails/bank-rail.ts';
import type { Bank } from './bank/bank.ts';
import {
  answeredWith,
  callAsClient,
  faultName,
  refusal,
  unanswered,
  unknown,
} from './bank/call-bank.ts';
import { clockToleranceSeconds, KeysUnavailable } from './bank/open-key-source.ts';
import { readErrorCode } from './messages/read-payment-answers.ts';
import { listOf, objectAt, textOf } from './messages/read-values.ts';
import type { BankProfile } from './settings/bank-profile.ts';

/** Of the banks that the connector reaches those that send notifications. */
export const openEvents = (banks: readonly Bank[]): BankEvents => {
  const notifying = banks.filter(
    ({ profile }) => profile.eventsUrl !== undefined && profile.isEnabled,
  );
  const find = (institutionId: string): Bank | undefined =>
    notifying.find(({ profile }) => profile.id === institutionId);
  return {
    institutionIds: () => notifying.map(({ profile }) => profile.id),
    readNotification: async (institutionId, token) => {
      const bank = find(institutionId);
      return bank ? readNotification(bank, token) : noSuchBank;
    },
    subscribe: async (institutionId, baseUrl) => {
      const bank = find(institutionId);
      return bank ? subscribeToEvents(bank, baseUrl) : refusal('BANK_NOT_ENABLED');
    },
  };
};

const noSuchBank = { kind: 'INVALID', description: 'No such bank sends notifications.' } as const;

const eventTypes = [
  'urn:uk:org:openbanking:events:resource-update',
  'urn:uk:org:openbanking:events:consent-authorization-revoked',
] as const;

/** Subscribes, or changes what is not as we want it. */
const subscribeToEvents = async (bank: Bank, baseUrl: string): Promise<SubscriptionOutcome> => {
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
    api: 'events',
    operation: 'write event subscription',
    method: subscription ? 'PUT' : 'POST',
    path: subscription
      ? `${subscriptionsPath}/${encodeURIComponent(subscription.id)}`
      : subscriptionsPath,
    interactionId: bank.tools.ids.uuid(),
    body: bodyOf(bank, callbackUrl, subscription),
  });
  if (answer.kind === 'NOTHING') return unanswered(answer.why);
  // Another process of ours was first.
  if (answer.status === 409) return { kind: 'UNCHANGED' };
  if (answer.status < 300) return { kind: subscription ? 'CHANGED' : 'CREATED' };
  if (answer.status >= 500) return answeredWith(answer.status);
  return refusal(readErrorCode(answer.body) ?? `HTTP_${answer.status}`);
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

type Subscription = {
  readonly id: string;
  readonly version: string;
  readonly callbackUrl: string | null;
  /** Null: all that the bank sends. */
  readonly eventTypes: readonly string[] | null;
};

type Subscribed =
  | { readonly kind: 'READ'; readonly subscription: Subscription | null }
  | { readonly kind: 'NOT_READ'; readonly why: string };

/** Our subscription at a bank: a bank has one for each client, some have one for each version. */
export const readSubscription = async (bank: Bank): Promise<Subscribed> => {
  const { profile, tools } = bank;
  const answer = await callAsClient(bank, {
    api: 'events',
    operation: 'read event subscription',
    path: subscriptionsPath,
    interactionId: tools.ids.uuid(),
  });
  if (answer.kind === 'NOTHING') return { kind: 'NOT_READ', why: answer.why };
  if (answer.status !== 200)
    return { kind: 'NOT_READ', why: `the bank answered with status ${answer.status}` };
  const all = listOf(objectAt(answer.body, 'Data'), 'EventSubscription').flatMap(subscriptionFrom);
  const ofVersion = all.find(({ version }) => version.startsWith(profile.version));
  return { kind: 'READ', subscription: ofVersion ?? all[0] ?? null };
};

const subscriptionsPath = '/event-subscriptions';

const subscriptionFrom = (value: unknown): readonly Subscription[] => {
  const data = objectAt(value);
  const id = textOf(data, 'EventSubscriptionId', 128);
  if (!data || id === undefined) return [];
  const types = listOf(data, 'EventTypes').filter((each) => typeof each === 'string');
  const version = textOf(data, 'Version') ?? '';
  const callbackUrl = textOf(data, 'CallbackUrl', 2_048) ?? null;
  return [{ id, version, callbackUrl, eventTypes: types.length > 0 ? types : null }];
};

/** Banks want the version in the address, and most add the name of the resource to it. */
export const callbackUrlAt = ({ id, version }: BankProfile, baseUrl: string): string =>
  `${baseUrl}/${id}/open-banking/v${version}`;

/** A bank may send one again for hours; older ones tell nothing that was not polled since. */
const notificationAgeSeconds = 24 * 3_600;
const referenceLengthMax = 128;

/** In the standard's words; banks write them with and without the plural. */
const kindsByResource = {
  'domestic-payment': 'PAYMENT',
  'account-access-consent': 'ACCOUNT_CONSENT',
} as const;

/**
 * Whether a security event token (RFC 8417) is of this bank, for us and of now, and what to read
 * because of it (BANK-22). All else in it is read as sloppily as banks write it.
 */
const readNotification = async (bank: Bank, token: string): Promise<NotificationOutcome> => {
  try {
    const { answerKeys } = await bank.discovered.get();
    const { payload, protectedHeader } = await jwtVerify(token, answerKeys, {
      issuer: bank.profile.issuer,
      audience: bank.client.clientId,
      algorithms: ['PS256'],
      requiredClaims: ['iat'],
      maxTokenAge: notificationAgeSeconds,
      clockTolerance: clockToleranceSeconds,
      currentDate: bank.tools.clock.now(),
    });
    // Another key would fit by chance of being the only one.
    return protectedHeader.kid ? readEvents(payload) : invalid('it names no key');
  } catch (error) {
    const why = faultName(error);
    return error instanceof KeysUnavailable || !why.startsWith('ERR_J')
      ? unknown('The keys of the bank cannot be read now.')
      : invalid(why);
  }
};

const readEvents = (claims: JWTPayload): NotificationOutcome => {
  const events = objectAt(claims, 'events');
  if (!events) return invalid('it names no event');
  for (const event of Object.values(events)) {
    const subject = objectAt(event, 'subject');
    const resource = textOf(subject, 'http://openbanking.org.uk/rty')?.replace(/s$/, '') ?? '';
    const reference = textOf(subject, 'http://openbanking.org.uk/rid', referenceLengthMax);
    if (reference !== undefined && isRead(resource))
      return { kind: kindsByResource[resource], reference };
  }
  return { kind: 'UNUSED' };
};

const isRead = (resource: string): resource is keyof typeof kindsByResource =>
  Object.hasOwn(kindsByResource, resource);

const invalid = (why: string): NotificationOutcome => ({
  kind: 'INVALID',
  description: `This is no notification of the bank for this client: ${why}.`,
});
