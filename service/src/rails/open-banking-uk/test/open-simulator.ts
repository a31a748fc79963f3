import { openTestSimulator } from '../../../../../test/harness/simulator/open-test-simulator.ts';

/** The simulator as the bank rail and the card rail see it. */
export type Simulator = {
  readonly folder: string;
  readonly control: (method: string, path: string, body?: object) => Promise<unknown>;
  readonly fault: (operation: string, kind: string, more?: object) => Promise<unknown>;
  readonly paymentsOf: (consentId: string) => Promise<readonly BookedPayment[]>;
  readonly close: () => Promise<void>;
};

export type BookedPayment = {
  readonly paymentId: string;
  readonly status: string;
  readonly amountPence: number;
  readonly reference: string;
  readonly debited: boolean;
  readonly endToEndIdentification: string;
};

export const openSimulator = async (furtherBanks: readonly object[] = []): Promise<Simulator> => {
  const { trustFolder, control, close } = await openTestSimulator(
    `${redirectUri},${accountRedirectUri}`,
    furtherBanks,
  );
  return {
    folder: trustFolder,
    control,
    fault: (operation, kind, more = {}) =>
      control('POST', '/faults', { bankId: simulatedBankId, operation, kind, ...more }),
    paymentsOf: async (consentId) =>
      (await control('GET', `/payments?consentIds=${consentId}`)) as readonly BookedPayment[],
    close,
  };
};

export const simulatedBankId = 'harbour-sandbox';

export const redirectUri = 'http://127.0.0.1:9/return';

export const accountRedirectUri = 'http://127.0.0.1:9/link-return';
