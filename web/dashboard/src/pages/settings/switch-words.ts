import type { getMerchant, ReplyOf } from '@florin/contract';

export type SwitchName = keyof ReplyOf<typeof getMerchant>['switches']['SANDBOX'];

type Described = { readonly title: string; readonly on: string; readonly off: string };

/** What each switch does, on and off. */
export const describeSwitch: Readonly<Record<SwitchName, Described>> = {
  cardsEnabled: {
    title: 'Cards',
    on: 'Customers may pay by card, and save a card.',
    off: 'Customers pay by bank only; saved cards are not charged.',
  },
  payoutsEnabled: {
    title: 'Payouts',
    on: 'Bank payments go to the collecting account and are paid out in batches.',
    off: 'Bank payments go straight to the account of the store.',
  },
  refundsEnabled: {
    title: 'Refunds',
    on: 'Payments may be refunded. That needs payouts: they are paid from what was collected.',
    off: 'No new refund is accepted.',
  },
  transferHubPaused: {
    title: 'Hold on payouts and refunds',
    on: 'Payouts and refunds wait here and are not handed to the bank.',
    off: 'Payouts and refunds are handed to the bank when they are due.',
  },
  refundsBeforeSettlement: {
    title: 'Early refunds',
    on: 'A refund goes out before the money of its payment has arrived, from other money.',
    off: 'A refund waits until the money of its payment has arrived.',
  },
  ordersGuarded: {
    title: 'Guard against double charges',
    on: 'A saved card is not charged twice for one order within ten minutes, unless that is meant.',
    off: 'A saved card may be charged for the same order again at any time.',
  },
  signsEveryReturn: {
    title: 'Returns of older shop programs',
    on: 'When a customer comes back to the shop, the old signature never says whether they paid.',
    off: 'When a customer comes back to the shop, the old signature says how far the payment is.',
  },
  repeatsCompleted: {
    title: 'Second message about a paid payment',
    on: 'Shops with webhooks of version 1 hear again of a paid payment when its bank reports more of it.',
    off: 'Shops with webhooks of version 1 hear once that a payment is complete.',
  },
};

export const switchNames = Object.keys(describeSwitch) as readonly SwitchName[];

/** As a business looks for them. */
export const switchGroups: readonly {
  readonly title: string;
  readonly says: string;
  readonly names: readonly SwitchName[];
}[] = [
  {
    title: 'Methods',
    says:
      'Customers may always pay by bank. After a failure they may try again, unless your program ' +
      'has asked for one try only.',
    names: ['cardsEnabled', 'ordersGuarded'],
  },
  {
    title: 'Payouts and refunds',
    says: 'Where the money of bank payments goes, and how it goes back.',
    names: ['payoutsEnabled', 'refundsEnabled', 'refundsBeforeSettlement', 'transferHubPaused'],
  },
  {
    title: 'Older shop programs',
    says: 'For programs that were written for version 1. Others need neither.',
    names: ['signsEveryReturn', 'repeatsCompleted'],
  },
];

/** "Off: no new refund is accepted." */
export const saySwitch = (name: SwitchName, isOn: boolean): string =>
  isOn ? `On: ${describeSwitch[name].on}` : `Off: ${describeSwitch[name].off}`;
