import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** One payment as the simulator reports it (GET /control/payments). */
export type BankLine = {
  readonly consentId: string;
  readonly endToEndIdentification: string;
  readonly amountPence: number;
  readonly status: string;
  readonly debited: boolean;
  readonly returned: boolean;
  readonly creditor: { readonly sortCode: string; readonly accountNumber: string };
};

/** One payment as the simulated processor reports it (GET /control/cards/payments). */
export type CardLine = {
  readonly paymentIntentId: string;
  readonly status: string;
  readonly amount: number;
  readonly held: number;
  readonly captured: number;
  readonly refunded: number;
  readonly metadata: Readonly<Record<string, string>>;
};

/** One movement on an account as the simulated transfer hub reports it. */
export type HubEntry = {
  readonly direction: 'CRDT' | 'DBIT';
  readonly kind: 'payment' | 'transfer' | 'return' | 'reversal' | 'deposit';
  readonly amountPence: number;
  readonly endToEndId: string | null;
};

/** A message between us and the simulated transfer hub, as it was. */
export type HubMessage = {
  readonly key: string;
  readonly text: string;
  /** Why it was put aside here. */
  readonly quarantineReason: string | null;
};

export type Outside = {
  readonly databaseUrl: string;
  readonly simulatorUrl: string;
  /** The folder with the simulator's keys and `registration.json`. */
  readonly trustFolder: string;
};

/** The control calls of a simulator. */
export const openSimulatorControl = async ({
  simulatorUrl,
  trustFolder,
}: Omit<Outside, 'databaseUrl'>) => {
  const file = join(trustFolder, 'registration.json');
  const { controlToken } = JSON.parse(await readFile(file, 'utf8')) as { controlToken: string };
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const reply = await fetch(`${simulatorUrl}/control${path}`, {
      method,
      headers: {
        authorization: `Bearer ${controlToken}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`);
    return reply.json();
  };
  const bankLines = async (): Promise<readonly BankLine[]> => {
    const lines: BankLine[] = [];
    for (let page = 0; lines.length === page * pageSize; page += 1)
      lines.push(
        ...((await call('GET', `/payments?page=${page}&pageSize=${pageSize}`)) as BankLine[]),
      );
    return lines;
  };
  const cardLines = async (): Promise<readonly CardLine[]> => {
    const lines: CardLine[] = [];
    for (;;) {
      const last = lines.at(-1)?.paymentIntentId;
      const after = last === undefined ? '' : `&after=${last}`;
      const page = await call('GET', `/cards/payments?pageSize=${pageSize}${after}`);
      lines.push(...(page as CardLine[]));
      if ((page as CardLine[]).length < pageSize) return lines;
    }
  };
  return {
    payments: bankLines,
    cardPayments: cardLines,
    hubEntries: async (account: string) => {
      const shown = await call('GET', `/transfers/account?account=${account}`);
      return (shown as { readonly entries: readonly HubEntry[] }).entries;
    },
    hubMessages: async (): Promise<readonly HubMessage[]> => {
      const found: HubMessage[] = [];
      for (;;) {
        const after = encodeURIComponent(found.at(-1)?.key ?? '');
        const page = await call('GET', `/transfers/messages?after=${after}`);
        const { messages } = page as { readonly messages: readonly HubMessage[] };
        if (messages.length === 0) return found;
        found.push(...messages);
      }
    },
    accountConsents: async (consentIds: readonly string[]) =>
      (await call('GET', `/account-consents?consentIds=${consentIds}`)) as readonly {
        readonly status: string;
        readonly isDeleted: boolean;
      }[],
    /** As a customer does at the bank. */
    revokeAccess: (consentIds: readonly string[]) =>
      call('POST', '/account-consents', { consentIds, change: 'revoke' }),
    deposit: (body: object) => call('POST', '/transfers/deposits', body),
    hubFault: (body: object) => call('POST', '/transfers/faults', body),
    setHubAccount: (body: object) => call('POST', '/transfers/account', body),
    advance: (consentIds: readonly string[], milliseconds: number) =>
      call('POST', '/clock/advance', { consentIds, milliseconds }),
    advanceCards: (paymentIntentIds: readonly string[], milliseconds: number) =>
      call('POST', '/clock/advance', { paymentIntentIds, milliseconds }),
    cardFault: (operation: string, kind: string, more: object = {}) =>
      call('POST', '/faults', { operation: `cards:${operation}`, kind, ...more }),
    noFaults: () => call('DELETE', '/faults'),
    faultsRemaining: async () =>
      ((await call('GET', '/faults')) as { readonly remaining: number }).remaining,
    fault: (operation: string, kind: string, more: object = {}) =>
      call('POST', '/faults', { bankId: 'mock-sandbox-v1', operation, kind, ...more }),
  };
};

const pageSize = 500;
