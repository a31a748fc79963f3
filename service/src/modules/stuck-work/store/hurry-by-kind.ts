import type { WorkKind } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { hurryReading, hurryRemoval } from '#modules/bank-feed/index.ts';
import { hurryDetachment } from '#modules/cards/index.ts';
import { hurryPayment } from '#modules/payments/index.ts';
import { hurryBatch } from '#modules/transfers/index.ts';
import type { Statement } from '#platform/database/statement.ts';
import type { Uses } from '#platform/tools.ts';

type Work = Tenant & { readonly workId: string };

type Hurry = (database: Uses<'database'>['database'], work: Work) => Promise<readonly unknown[]>;

const by =
  <Row>(statement: Statement<Work, Row>): Hurry =>
  (database, work) =>
    database.system(statement, work);

const ofPayment =
  (work: 'EXPIRE' | 'ABANDON' | 'ALERT' | 'POLL' | 'CAPTURE'): Hurry =>
  (database, values) =>
    database.system(hurryPayment, { ...values, work });

/** Kinds of work that wait after a failure, with the statement that ends the pause. */
export const hurryByKind: Readonly<Partial<Record<WorkKind, Hurry>>> = {
  EXPIRE: ofPayment('EXPIRE'),
  ABANDON: ofPayment('ABANDON'),
  ALERT: ofPayment('ALERT'),
  POLL_BANK: ofPayment('POLL'),
  POLL_CARD: ofPayment('POLL'),
  CAPTURE: ofPayment('CAPTURE'),
  SUBMIT_TRANSFERS: by(hurryBatch),
  REFRESH_ACCOUNTS: by(hurryReading),
  REMOVE_BANK_DATA: by(hurryRemoval),
  DETACH_CARD: by(hurryDetachment),
};
