import { deliverDue, type Outbox } from '#simulator/deliver-due.ts';
import type { Log } from '#simulator/log.ts';
import { type Repeats, startRepeats } from '#simulator/start-repeats.ts';
import type { Notification } from '#simulator/store/notifications.ts';
import type { Clock } from '#simulator/system-clock.ts';
import type { OpenBank } from './open-banks.ts';
import type { Addresses } from './wire/addresses.ts';
import { signToken } from './wire/sign-message.ts';

const lookEveryMs = 500;
// Then the client finds out by asking: about four minutes after the event.
const maxAttempts = 8;

type Parts = {
  readonly openBank: OpenBank;
  readonly addresses: Addresses;
  readonly outbox: Outbox<Notification>;
  readonly clock: Clock;
  readonly log: Log;
};

// Sends what clients have subscribed to: security event tokens (RFC 8417), signed by the bank.
export const startNotifications = ({ openBank, addresses, ...parts }: Parts): Repeats => {
  const messageOf = async (notification: Notification, now: number) => {
    const bank = await openBank(notification.bankId);
    if (!bank) throw new Error(`there is no bank ${notification.bankId}`);
    const claims = claimsOf(notification, addresses, now);
    const body = await signToken('secevent+jwt', claims, bank.signer);
    return { body, headers: { 'content-type': 'application/jwt' } };
  };
  const sender = {
    name: 'event notification',
    idOf: ({ id }: Notification) => id,
    messageOf,
    maxAttempts,
    lookEveryMs,
  };
  const work = deliverDue<Notification>(parts.outbox, sender, parts);
  return startRepeats([{ work }], parts.log);
};

const claimsOf = (notification: Notification, addresses: Addresses, now: number) => {
  const { id, bankId, clientId, resourceType, resourceId } = notification;
  const version = notification.version === '3.1' ? '3.1' : '4.0';
  const link =
    resourceType === 'domestic-payment'
      ? `${addresses.payments(bankId, version)}/domestic-payments/${resourceId}`
      : `${addresses.accounts(bankId, version)}/account-access-consents/${resourceId}`;
  return {
    iss: addresses.issuer(bankId),
    iat: Math.floor(now / 1000),
    jti: id,
    aud: clientId,
    sub: link,
    txn: id,
    toe: Math.floor(notification.occursAt / 1000),
    events: {
      [notification.event]: {
        subject: {
          subject_type: 'http://openbanking.org.uk/rid_http://openbanking.org.uk/rty',
          'http://openbanking.org.uk/rid': resourceId,
          'http://openbanking.org.uk/rty': resourceType,
          'http://openbanking.org.uk/rlk': [{ version: `v${version}`, link }],
        },
      },
    },
  };
};
