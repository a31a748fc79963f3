import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, vi } from 'vitest';
import { randomIds, systemClock } from '#platform/clock.ts';
import type { IncomingMessage, StatementEntry, TransferStatus } from '#rails/transfer-rail.ts';
import {
  openTestSimulator,
  type TestSimulator,
} from '../../../../../test/harness/simulator/open-test-simulator.ts';
import { type Iso20022, openIso20022, transferSettings } from '../open-iso20022.ts';
import { collectingAccount } from './new-batch.ts';
import { validateMessage } from './validate-message.ts';

/** The simulator's transfer hub, our rail to it, and everything it has sent so far. */
export type SimulatedBank = {
  folder: string;
  control: (method: string, path: string, body?: object) => Promise<unknown>;
  rail: Iso20022;
  readonly messages: IncomingMessage[];
  /** Reads and acknowledges until something fits. */
  readonly until: <Found>(find: () => Found | undefined) => Promise<Found>;
  readonly statusesOf: (endToEndId: string) => readonly TransferStatus[];
  readonly entriesOf: (endToEndId: string) => readonly StatementEntry[];
  readonly advance: (endToEndIds: readonly string[], milliseconds: number) => Promise<unknown>;
  readonly account: (sortCode: string, accountNumber: string) => Promise<HubAccount>;
};

export type HubAccount = {
  readonly balancePence: number;
  readonly entries: readonly {
    readonly direction: string;
    readonly kind: string;
    readonly amountPence: number;
    readonly endToEndId: string | null;
  }[];
};

export const useSimulatedBank = (): SimulatedBank => {
  const messages: IncomingMessage[] = [];
  const bank = { messages } as unknown as SimulatedBank;
  const readAll = async () => {
    const read = await bank.rail.readMessages(100);
    if (read.kind !== 'MESSAGES') throw new Error(read.description);
    for (const message of read.messages) {
      messages.push(message);
      await bank.rail.acknowledge(message.reference);
    }
  };
  Object.assign(bank, {
    until: (find) =>
      vi.waitFor(
        async () => {
          await readAll();
          const found = find();
          if (found === undefined) throw new Error('not yet');
          return found;
        },
        { timeout: 20_000, interval: 100 },
      ),
    statusesOf: (endToEndId) =>
      messages
        .flatMap((message) => (message.kind === 'STATUS_REPORT' ? message.transfers : []))
        .filter((status) => status.endToEndId === endToEndId),
    entriesOf: (endToEndId) =>
      messages
        .flatMap((message) => (message.kind === 'ACCOUNT_REPORT' ? message.entries : []))
        .filter((entry) => entry.endToEndId === endToEndId),
    advance: (endToEndIds, milliseconds) =>
      bank.control('POST', '/clock/advance', { endToEndIds, milliseconds }),
    account: async (sortCode, accountNumber) =>
      (await bank.control(
        'GET',
        `/transfers/account?account=${sortCode}${accountNumber}`,
      )) as HubAccount,
  } satisfies Partial<SimulatedBank>);

  let simulator: TestSimulator | undefined;
  beforeAll(async () => {
    simulator = await openTestSimulator();
    bank.folder = simulator.trustFolder;
    bank.control = simulator.control;
    const text = await readFile(join(bank.folder, 'registration.json'), 'utf8');
    const settings = transferSettings(text, collectingAccount);
    if (!settings) throw new Error('the simulator has no transfer hub');
    bank.rail = openIso20022(settings, { clock: systemClock, ids: randomIds() });
  });
  afterAll(async () => {
    await bank.rail?.close();
    await simulator?.close();
  });
  return bank;
};

/** Messages waiting at the hub, as received. */
export const rawDeliveries = async (bank: SimulatedBank): Promise<readonly string[]> => {
  const text = await readFile(join(bank.folder, 'registration.json'), 'utf8');
  const { transfers } = JSON.parse(text) as { transfers: { url: string; secret: string } };
  const { sortCode, accountNumber } = collectingAccount;
  const url = `${transfers.url}/deliveries?account=${sortCode}${accountNumber}&limit=100`;
  const answer = await fetch(url, { headers: { authorization: `Bearer ${transfers.secret}` } });
  const { deliveries } = (await answer.json()) as { deliveries: readonly { text: string }[] };
  return deliveries.map(({ text: one }) => one);
};

export const validateAll = (texts: readonly string[]): void => {
  for (const text of texts) validateMessage(text);
};
