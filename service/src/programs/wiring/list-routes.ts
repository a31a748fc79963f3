import * as audit from '#modules/audit/index.ts';
import * as bankFeed from '#modules/bank-feed/index.ts';
import * as cards from '#modules/cards/index.ts';
import * as checkout from '#modules/checkout/index.ts';
import * as credits from '#modules/credits/index.ts';
import * as customers from '#modules/customers/index.ts';
import * as dashboard from '#modules/dashboard/index.ts';
import * as ledger from '#modules/ledger/index.ts';
import * as merchants from '#modules/merchants/index.ts';
import * as operatorCases from '#modules/operator-cases/index.ts';
import * as payments from '#modules/payments/index.ts';
import * as payouts from '#modules/payouts/index.ts';
import * as people from '#modules/people/index.ts';
import * as pointOfSale from '#modules/point-of-sale/index.ts';
import * as refunds from '#modules/refunds/index.ts';
import * as sandbox from '#modules/sandbox/index.ts';
import * as status from '#modules/status/index.ts';
import * as stuckWork from '#modules/stuck-work/index.ts';
import * as transfers from '#modules/transfers/index.ts';
import * as webhooks from '#modules/webhooks/index.ts';
import type { Route } from '#platform/http/route.ts';
import type { Tools } from '#platform/tools.ts';
import type { Rails } from './open-rails.ts';
import { reportReceivers } from './report-receivers.ts';

/** What pages and apps of merchants call, also from other origins. */
export const listSdkRoutes = (tools: checkout.SdkTools & status.StatusTools): readonly Route[] => [
  ...checkout.sdkRoutes(tools),
  ...status.sdkRoutes(tools),
];

export type ServedRails = Pick<
  Rails,
  'bankRails' | 'bankDataRails' | 'cardRails' | 'transferRails' | 'payerRail' | 'simulatorRail'
> & {
  readonly chargeSender: payments.ChargeSender;
  readonly forgetSecret: (secretId: string) => void;
  /** Where the setting does not say. */
  readonly openSignUp: boolean;
  readonly catchesMail?: boolean;
};

/** Every operation of the contract and of the dashboard, with who answers it. */
export const listRoutes = (
  tools: Tools,
  rails: ServedRails,
  publicUrl: string,
): readonly Route[] => {
  const all = { ...tools, ...rails, publicUrl, simulatorSetting: 'SIMULATOR_TRUST_FOLDER' };
  const receivers = reportReceivers(tools);
  return [
    ...merchants.merchantRoutes(all),
    ...customers.merchantRoutes(all),
    ...cards.merchantRoutes(all),
    ...payments.merchantRoutes(all),
    ...checkout.merchantRoutes(all),
    ...refunds.merchantRoutes(all),
    ...payouts.merchantRoutes(all),
    ...bankFeed.merchantRoutes(all),
    ...status.merchantRoutes(all),
    ...listSdkRoutes(all),
    ...webhooks.merchantRoutes(all),
    ...audit.memberRoutes(all),
    ...bankFeed.memberRoutes(all),
    ...pointOfSale.memberRoutes(all),
    ...refunds.memberRoutes(all),
    ...dashboard.memberRoutes(all),
    ...listOperatorRoutes(all),
    ...people.personRoutes({ ...all, openSignUp: tools.config.openSignUp ?? all.openSignUp }),
    ...sandbox.sandboxRoutes({
      ...all,
      dueSources: [
        payments.paymentsDue(all),
        refunds.refundsDue({ ...all, receivers }),
        // After the messages of the bank were read, before a payout closes.
        credits.creditsDue(all),
        payouts.payoutsDue({ ...all, receivers }),
        bankFeed.feedDue(all),
        webhooks.webhooksDue(all),
      ],
    }),
  ];
};

/** What operators call with a secret of their own. */
export const listOperatorRoutes = (
  tools: Tools & Pick<ServedRails, 'bankRails' | 'forgetSecret'>,
): readonly Route[] => [
  ...merchants.operatorRoutes(tools),
  ...audit.operatorRoutes(tools),
  ...people.operatorRoutes(tools),
  ...operatorCases.operatorRoutes(tools),
  ...ledger.operatorRoutes(tools),
  ...payments.operatorRoutes(tools),
  ...credits.operatorRoutes(tools),
  ...transfers.operatorRoutes(tools),
  ...refunds.operatorRoutes(tools),
  ...bankFeed.operatorRoutes(tools),
  ...stuckWork.operatorRoutes(tools),
];
