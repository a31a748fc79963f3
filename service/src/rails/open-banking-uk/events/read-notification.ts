import { type JWTPayload, jwtVerify } from 'jose';
import type { NotificationOutcome } from '#rails/bank-rail.ts';
import type { Bank } from '../bank/bank.ts';
import { faultName } from '../bank/call-bank.ts';
import { unknown } from '../bank/classify-refusal.ts';
import { clockToleranceSeconds, KeysUnavailable } from '../bank/open-key-source.ts';
import { objectAt, textOf } from '../messages/read-json.ts';

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
export const readNotification = async (bank: Bank, token: string): Promise<NotificationOutcome> => {
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
