import type { BankEvents } from '#rails/bank-rail.ts';
import type { Bank } from '../bank/bank.ts';
import { refusal } from '../bank/classify-refusal.ts';
import { readNotification } from './read-notification.ts';
import { subscribeToEvents } from './subscribe-to-events.ts';

/** Of the banks that the connector reaches those that send notifications. */
export const openEvents = (banks: ReadonlyMap<string, Bank>): BankEvents => {
  const notifying = [...banks.values()].filter(
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
