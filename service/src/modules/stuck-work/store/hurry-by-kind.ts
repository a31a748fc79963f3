import type { WorkKind } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { hurryReading, hurryRemoval } from '#modules/bank-feed/index.ts';
import { hurryDetachment } from '#modules/cards/index.ts';
import { hurryBatch } from '#modules/transfers/index.ts';
import { hurryPausedWork, type Work as PausedWork } from '#platform/database/finish-work.ts';
import type { Statement } from '#platform/database/statement.ts';
import type { Uses } from '#platform/tools.ts';

type Work = Tenant & { readonly workId: string };

type Hurry = (database: Uses<'database'>['database'], work: Work) => Promise<readonly unknown[]>;

const by =
  <Row>(statement: Statement<Work, Row>): Hurry =>
  (database, work) =>
    database.system(statement, work);

const paused =
  (work: PausedWork): Hurry =>
  (database, values) =>
    database.system(hurryPausedWork, { ...values, work });

/** Kinds of work that wait after a failure, with the statement that ends the pause. */
export const hurryByKind: Readonly<Partial<Record<WorkKind, Hurry>>> = {
  EXPIRE: paused('EXPIRE'),
  ABANDON: paused('ABANDON'),
  ALERT: paused('ALERT'),
  POLL_BANK: paused('POLL'),
  POLL_CARD: paused('POLL'),
  CAPTURE: paused('CAPTURE'),
  END_LINK: paused('END_LINK'),
  SUBMIT_TRANSFERS: by(hurryBatch),
  REFRESH_ACCOUNTS: by(hurryReading),
  REMOVE_BANK_DATA: by(hurryRemoval),
  DETACH_CARD: by(hurryDetachment),
  ERASE_CUSTOMER: paused('ERASE'),
  ERASE_OLD_PAYMENT: paused('ERASE_PAYMENT'),
  TAKE_SNAPSHOT: paused('SNAPSHOT'),
  ADD_UP_MONEY: paused('MONEY_DAY'),
};
