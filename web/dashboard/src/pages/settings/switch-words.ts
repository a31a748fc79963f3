import type { getMerchant, ReplyOf } from '@florin/contract';

export type SwitchName = keyof ReplyOf<typeof getMerchant>['switches']['SANDBOX'];

type Described = { readonly title: string; readonly on: string; readonly off: string };

/** What each switch does, on and off. */
export const describeSwitch: Readonly<Record<SwitchName, Described>> = {
  cardsEnabled: {
    title: 'Cards',
    on: 'Customers can pay by card and save a card.',
    off: 'Customers can pay only by bank. Saved cards are not charged.',
  },
  payoutsEnabled: {
    title: 'Payouts',
    on: 'Bank payments go to the collecting account and are paid out in batches.',
    off: 'Bank payments go straight to the account of the store.',
  },
  refundsEnabled: {
    title: 'Refunds',
    on: 'Payments may be refunded. Refunds need payouts to be on: they are paid from what was collected.',
    off: 'No new refunds are accepted.',
  },
  transferHubPaused: {
    title: 'Hold on payouts and refunds',
    on: 'Payouts and refunds wait and are not sent to the bank.',
    off: 'Payouts and refunds are sent to the bank when they are due.',
  },
  refundsBeforeSettlement: {
    title: 'Early refunds',
    on: 'A refund can go out before its payment has arrived, out of other money.',
    off: 'A refund waits until its payment has arrived.',
  },
  ordersGuarded: {
    title: 'Guard against double charges',
    on: 'A saved card is not charged twice for one order within ten minutes, unless that is meant.',
    off: 'A saved card may be charged twice for one order, such as when a program repeats a request.',
  },
  signsEveryReturn: {
    title: 'Safe returns to older shop programs',
    on: 'When a customer returns to the shop, the old signature never says whether they paid.',
    off: 'When a customer returns to the shop, the old signature says how far the payment is.',
  },
  repeatsCompleted: {
    title: 'Second message about a paid payment',
    on: 'Shops with webhooks of version 1 hear again of a paid payment when its bank reports more of it.',
    off: 'Shops with webhooks of version 1 hear once that a payment is complete.',
  },
};

export const switchNames = Object.keys(describeSwitch) as readonly SwitchName[];

export type SwitchGroup = {
  readonly title: string;
  readonly says: string;
  readonly names: readonly SwitchName[];
};

export const methodSwitches: readonly SwitchGroup[] = [
  {
    title: 'Methods',
    says:
      'Customers can always pay by bank. After a failure they can try again, unless your program ' +
      'asked for a single attempt.',
    names: ['cardsEnabled', 'ordersGuarded'],
  },
  {
    title: 'Older shop programs',
    says: 'For programs written for version 1. Others need neither.',
    names: ['signsEveryReturn', 'repeatsCompleted'],
  },
];

export const payoutSwitches: SwitchGroup = {
  title: 'Payouts and refunds',
  says: 'Where the money of bank payments goes, and how it is refunded.',
  names: ['payoutsEnabled', 'refundsEnabled', 'refundsBeforeSettlement', 'transferHubPaused'],
};

/** "Off: no new refund is accepted." */
export const saySwitch = (name: SwitchName, isOn: boolean): string =>
  isOn ? `On: ${describeSwitch[name].on}` : `Off: ${describeSwitch[name].off}`;
