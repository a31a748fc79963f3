import { join } from 'node:path';
import { simulatorFolder } from '../../service/src/programs/wiring/simulator-folder.ts';
import type { TestServer } from './database/open-test-database.ts';
import { compareBankBooks } from './invariants/compare-bank-books.ts';
import { compareCardBooks } from './invariants/compare-card-books.ts';
import { compareCollectingAccount } from './invariants/compare-collecting-account.ts';
import { compareTransferBooks } from './invariants/compare-transfer-books.ts';
import {
  findBrokenInvariants,
  type InvariantOptions,
} from './invariants/find-broken-invariants.ts';
import { findInvalidMessages } from './invariants/find-invalid-messages.ts';
import { findMisshownPayments } from './invariants/find-misshown-payments.ts';
import { type Outside, openSimulatorControl } from './invariants/open-simulator-control.ts';
import { openPayer } from './open-payer.ts';
import { openSandbox } from './open-sandbox.ts';
import { waitUntil } from './wait-until.ts';

const patience = { withinMs: 60_000 };
const hour = 3_600_000;

export type Journey = Awaited<ReturnType<typeof openJourney>>;

/** The whole product with a payer, the simulator's books and the invariants. */
export const openJourney = async (
  server?: TestServer,
  changeRails?: Parameters<typeof openSandbox>[3],
) => {
  const sandbox = await openSandbox({}, undefined, server, changeRails);
  const outside: Outside = {
    databaseUrl: sandbox.databaseUrl,
    simulatorUrl: sandbox.simulator.url,
    trustFolder: join(simulatorFolder(sandbox.folder), 'trust'),
  };
  const control = await openSimulatorControl(outside);
  const query = <Row>(name: string, text: string, id: string): Promise<Row[]> =>
    sandbox.tools.database.system<{ id: string }, Row>(
      { name: `journey_${name}`, text, valueNames: ['id'] },
      { id },
    );

  const create = async (more: object = {}): Promise<string> => {
    const body = { customerId: 'c', orderId: 'o', amount: 12.5, expiresIn: hour, ...more };
    const created = await sandbox.request('POST', '/api/payments/process-payment', { body });
    if (created.status !== 200) throw new Error(JSON.stringify(created.body));
    return created.body.paymentRequestId;
  };

  /** `COMPLETED ACSC`, or the status alone while no attempt has an outcome. */
  const standing = async (id: string): Promise<string> => {
    const { body } = await sandbox.request('GET', `/api/payments/v1/payment-status/${id}`);
    const iso = body.transactionDetails[0]?.statusDetails?.isoStatus.code;
    return iso ? `${body.status} ${iso}` : body.status;
  };

  /** `wanted` is a pattern: a poll may meet one of several bank statuses. */
  const becomes = (id: string, wanted: string): Promise<string> =>
    waitUntil(async () => {
      const found = await standing(id);
      if (new RegExp(`^${wanted}$`).test(found)) return found;
      throw new Error(`${id} is ${found}, not ${wanted}`);
    }, patience);

  const eventsOf = async (id: string): Promise<readonly string[]> => {
    const rows = await query<{ event: string }>(
      'events',
      `select coalesce(b.body::json->>'status', e.event_type) as event from event e
       join event_body b on b.event_id = e.event_id where e.resource_id = $1::uuid
       order by e.sequence`,
      id,
    );
    return rows.map(({ event }) => event);
  };

  const historyOf = async (id: string): Promise<readonly string[]> => {
    const rows = await query<{ trigger: string }>(
      'history',
      `select trigger from payment_history where payment_request_id = $1::uuid`,
      id,
    );
    return rows.map(({ trigger }) => trigger);
  };

  const attemptsOf = (id: string) =>
    query<{
      status: string;
      step: string;
      ended_reason: string | null;
      rail_reference: string;
      oauth_state: string;
    }>(
      'attempts',
      `select status, step, ended_reason, rail_reference, oauth_state from attempt
       where payment_request_id = $1::uuid order by position`,
      id,
    );

  /** Moves the merchant's clock, and the simulator's with it. */
  const advance = async (milliseconds: number): Promise<void> => {
    const body = { advanceMs: milliseconds };
    const moved = await sandbox.request('POST', '/api/sandbox/clock', { body });
    if (moved.body.remainingMs !== 0) throw new Error(JSON.stringify(moved.body));
  };

  const booksAgree = (options: InvariantOptions): Promise<boolean> =>
    waitUntil(async () => {
      const wrong = [
        ...(await compareBankBooks(outside)),
        ...(await compareCardBooks(outside)),
        ...(await compareTransferBooks(outside)),
        ...(await compareCollectingAccount(outside)),
        ...(await findBrokenInvariants(sandbox.databaseUrl, options)),
      ];
      if (wrong.length > 0) throw new Error(wrong.join('\n'));
      return true;
    }, patience);

  const allAgree = async (options: InvariantOptions = { isQuiet: true }): Promise<void> => {
    await booksAgree(options);
    const misshown = await findMisshownPayments(sandbox);
    if (misshown.length > 0) throw new Error(misshown.join('\n'));
  };

  return {
    sandbox,
    outside,
    payer: openPayer(sandbox.url),
    control,
    create,
    standing,
    becomes,
    eventsOf,
    attemptsOf,
    historyOf,
    advance,
    allAgree,
    /**
     * No journey ends while our books differ from those of the banks, the processor or the hub, nor with a
     * message that breaks its schema.
     */
    close: async () => {
      try {
        await control.noFaults();
        await booksAgree({});
        const invalid = await findInvalidMessages(outside);
        if (invalid.length > 0) throw new Error(invalid.join('\n'));
      } finally {
        await sandbox.close();
      }
    },
  };
};
