import type { getMerchant, ReplyOf } from '@florin/contract';

export type SwitchName = keyof ReplyOf<typeof getMerchant>['switches']['SANDBOX'];

type Described = { readonly title: string; readonly on: string; readonly off: string };

/** What each switch does, on and off. */
export const describeSwitch: Readonly<Record<SwitchName, Described>> = {
  cardsEnabled: {
    title: 'Cards',
    on: 'Payers may pay by card, and save a card.',
    off: 'Payers pay by bank only; saved cards are not charged.',
  },
  payoutsEnabled: {
    title: 'Payouts',
    on: 'Bank payments go to the collecting account and are paid out in batches.',
    off: 'Bank payments go straight to the account of the store.',
  },
  refundsEnabled: {
    title: 'Refunds',
    on: 'The merchant may refund. Refunds need payouts: they are paid from what was collected.',
    off: 'No new refund is accepted.',
  },
  transferHubPaused: {
    title: 'Hold of transfers',
    on: 'Payouts and refunds wait and are not handed to the bank.',
    off: 'Payouts and refunds are handed to the bank when they are due.',
  },
  refundsBeforeSettlement: {
    title: 'Early refunds',
    on: 'A refund goes out before the money of its payment has arrived, from other money.',
    off: 'A refund waits until the money of its payment has arrived.',
  },
  ordersGuarded: {
    title: 'Order guard',
    on: 'A second card charge of one order within ten minutes needs an Idempotency-Key.',
    off: 'The same order may be charged again at any time.',
  },
  signsEveryReturn: {
    title: 'Old signatures',
    on: 'The old signatures of the way back never cover the status.',
    off: 'The old signatures of the way back cover the status until it is COMPLETED.',
  },
  repeatsCompleted: {
    title: 'Repeated COMPLETED',
    on: 'Webhooks of version 1 hear of a paid payment again when its bank reports a later status.',
    off: 'Webhooks of version 1 hear once that a payment is COMPLETED.',
  },
};

export const switchNames = Object.keys(describeSwitch) as readonly SwitchName[];
