import type { FastifyInstance } from 'fastify';
import { auditModule } from '#modules/audit/index.ts';
import { bankFeedModule } from '#modules/bank-feed/index.ts';
import { cardsModule } from '#modules/cards/index.ts';
import { cellsModule } from '#modules/cells/index.ts';
import { type CheckoutRouteTools, checkoutModule } from '#modules/checkout/index.ts';
import { creditsModule } from '#modules/credits/index.ts';
import { customersModule } from '#modules/customers/index.ts';
import { dashboardModule } from '#modules/dashboard/index.ts';
import { erasureModule } from '#modules/erasure/index.ts';
import { eventsModule } from '#modules/events/index.ts';
import { exportsModule } from '#modules/exports/index.ts';
import { ledgerModule } from '#modules/ledger/index.ts';
import { type Authentication, merchantsModule } from '#modules/merchants/index.ts';
import { operatorCasesModule } from '#modules/operator-cases/index.ts';
import { operatorsModule } from '#modules/operators/index.ts';
import {
  type ChargeSender,
  type FollowRefund,
  type HurryRefresh,
  paymentsModule,
} from '#modules/payments/index.ts';
import { payoutsModule } from '#modules/payouts/index.ts';
import { peopleModule } from '#modules/people/index.ts';
import { pointOfSaleModule } from '#modules/point-of-sale/index.ts';
import { refundsModule } from '#modules/refunds/index.ts';
import { type DueSource, sandboxModule } from '#modules/sandbox/index.ts';
import { searchModule } from '#modules/search/index.ts';
import { statusModule } from '#modules/status/index.ts';
import { stuckWorkModule } from '#modules/stuck-work/index.ts';
import { type ReportReceivers, transfersModule } from '#modules/transfers/index.ts';
import { webhooksModule } from '#modules/webhooks/index.ts';
import type { MerchantCommands, OperatorCommands } from '#platform/command.ts';
import type { Fragment } from '#platform/database/sql.ts';
import type { Route } from '#platform/http/route.ts';
import type { Job } from '#platform/jobs.ts';
import type { EncryptedColumn } from '#platform/secrets/reencrypt-records.ts';
import type { Tools } from '#platform/tools.ts';
import type { MailRail, MailRounds } from '#rails/mail-rail.ts';
import type { Rails } from './open-rails.ts';

type UsedRails = Omit<Rails, 'isSandboxOpen' | 'close'>;

/** What the API has for a module. */
export type ApiTools = Tools &
  UsedRails &
  CheckoutRouteTools & {
    readonly publicUrl: string;
    readonly dashboardUrl: string;
    readonly simulatorSetting: string;
    readonly openSignUp: boolean;
    readonly catchesMail: boolean;
    readonly authenticate: Authentication['authenticate'];
    readonly forgetSecret: Authentication['forget'];
    readonly chargeSender: ChargeSender;
    readonly followRefund: FollowRefund;
    readonly hurryRefresh: HurryRefresh;
    readonly receivers: ReportReceivers;
    readonly dueSources: readonly DueSource[];
  };

/** What a worker has for a module. */
export type WorkerTools = Tools &
  Pick<UsedRails, 'bankRails' | 'bankDataRails' | 'cardRails' | 'transferRails'> & {
    readonly publicUrl: string;
    readonly receivers: ReportReceivers;
    /** How long a round waits for the slowest of those that it calls. */
    readonly patience: () => Promise<unknown>;
    readonly mailRail: MailRail | null;
    readonly mailRounds: MailRounds;
    readonly operatorMail: string | null;
    readonly dashboardUrl: string;
  };

type Makes<Made, Given> = (tools: Given) => readonly Made[];
type Mount = (scope: FastifyInstance, tools: ApiTools) => void;

type Parts = {
  /** Operations of merchants, their members and people. */
  readonly routes: Makes<Route, ApiTools>;
  /** Operations that pages and apps of merchants call, also from other origins. */
  readonly sdkRoutes: Makes<Route, ApiTools>;
  readonly operatorRoutes: Makes<Route, Tools & Pick<ApiTools, 'bankRails' | 'forgetSecret'>>;
  /** Pages for a browser. */
  readonly pages: Mount;
  /** Answers that are written while they are read. */
  readonly streams: Mount;
  /** What banks and processors call, each with a body of its own kind. */
  readonly railCalls: Mount;
  readonly jobs: Makes<Job, WorkerTools>;
  /** What a new master key encrypts again. */
  readonly encryptedColumns: EncryptedColumn;
  /** Files of `service/migrations` that make its tables. */
  readonly migrations: string;
};

type Lists = { readonly [Part in keyof Parts]?: readonly Parts[Part][] };

/** What a module gives the programs: of each part a list, which is left out where it has nothing. */
export type Module = Lists & {
  readonly name: string;
  /** By job: when its earliest work is due. One with `everyMs` needs none. */
  readonly dueAt?: Readonly<Record<string, Fragment<never>>>;
  /** What falls due for a merchant whose sandbox clock is moved. */
  readonly dueSource?: (tools: Omit<ApiTools, 'dueSources'>) => DueSource;
  readonly operatorCommands?: OperatorCommands;
  readonly merchantCommands?: MerchantCommands;
};

/**
 * Every module. In this order what is due is done when a sandbox clock is moved: credits after refunds,
 * which read the messages of the bank, and before a payout closes.
 */
export const modules: readonly Module[] = [
  merchantsModule,
  auditModule,
  operatorsModule,
  peopleModule,
  eventsModule,
  operatorCasesModule,
  ledgerModule,
  searchModule,
  customersModule,
  cardsModule,
  paymentsModule,
  checkoutModule,
  transfersModule,
  refundsModule,
  creditsModule,
  payoutsModule,
  exportsModule,
  bankFeedModule,
  webhooksModule,
  statusModule,
  pointOfSaleModule,
  dashboardModule,
  erasureModule,
  stuckWorkModule,
  sandboxModule,
  cellsModule,
];

/** One part of all modules. */
export const partsOf = <Part extends keyof Parts>(part: Part): readonly Parts[Part][] =>
  modules.flatMap((each: Lists): readonly Parts[Part][] => each[part] ?? []);
