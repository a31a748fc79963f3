import Type from 'typebox';
import { timestamp } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { unusualAdvance } from '../unusual.ts';

/** Of a merchant in one environment. */
export const switchFields = {
  cardsEnabled: Type.Boolean({ description: 'Card payments and saved cards.' }),
  refundsEnabled: Type.Boolean({ description: 'Refunds; they need payouts.' }),
  payoutsEnabled: Type.Boolean({
    description: 'On: payments go to the collecting account. Off: to the account of the store.',
  }),
  transferHubPaused: Type.Boolean({ description: 'Holds outgoing transfers back.' }),
  refundsBeforeSettlement: Type.Boolean({
    description:
      'Refunds of a payment go out before its money has arrived, from other money of the account; ' +
      'if the payment then fails, its payer has both. Off: such a refund waits for SETTLEMENT.',
  }),
  ordersGuarded: Type.Boolean({
    description:
      'A second card charge of the same customer, order and amount within ten minutes needs an ' +
      'Idempotency-Key.',
  }),
  signsEveryReturn: Type.Boolean({
    description:
      'The old signatures of the way back cover ids only, in every state. Then they also ' +
      'fit an address whose status was changed to COMPLETED: use florinSignature (REQUEST-12).',
  }),
  repeatsCompleted: Type.Boolean({
    description:
      'Webhooks of v1 too get a COMPLETED payment again when its bank reports a later status. Off: once.',
  }),
};

/** Changes the switches that are sent; in production the operator sets them. */
export const setSandboxSwitches = operation({
  id: 'setSandboxSwitches',
  route: 'POST /api/sandbox/switches',
  access: 'sandboxSecret',
  summary:
    'Switch cards, refunds, payouts, the transfer hub, the order guard and the like on or off.',
  rules: ['ACCESS-5'],
  idempotent: true,
  body: Type.Partial(Type.Object(switchFields)),
  bodyOptional: true,
  reply: Type.Object(switchFields),
});

/** Which tips the hosted page offers. */
export const tipFields = {
  enabled: Type.Boolean({ description: 'Off: no tip is asked for, whatever a request says.' }),
  tipType: Type.Enum(['FIXED', 'PERCENTAGE']),
  options: Type.Array(Type.Number({ exclusiveMinimum: 0, maximum: 1000 }), {
    minItems: 3,
    maxItems: 3,
    uniqueItems: true,
    description: 'Three quick choices: pounds where FIXED, whole percent where PERCENTAGE.',
  }),
  allowCustom: Type.Boolean({ description: 'Payers may enter an amount of their own.' }),
};

/** Which tips the hosted page offers; without any setting it offers none. */
export const setSandboxTips = operation({
  id: 'setSandboxTips',
  route: 'POST /api/sandbox/tips',
  access: 'sandboxSecret',
  summary: 'Choose the tips that payers are offered in the sandbox.',
  rules: ['REQUEST-13'],
  idempotent: true,
  body: Type.Object(tipFields),
  reply: Type.Object(tipFields),
});

const percentage = (description: string) =>
  Type.Number({ minimum: 0, maximum: 100, description: `${description} At most two decimals.` });

/** What requested amounts include. */
export const amountPartFields = {
  taxPercentage: percentage('VAT, in percent of the price without VAT and service.'),
  servicePercentage: percentage('Service, in percent of the same price.'),
};

/** Requested amounts include these parts: a payer pays no more for them. Without a setting 0. */
export const setSandboxAmountParts = operation({
  id: 'setSandboxAmountParts',
  route: 'POST /api/sandbox/amount-parts',
  access: 'sandboxSecret',
  summary: 'Say how much VAT and service the amounts include that are requested from now on.',
  rules: ['MONEY-3'],
  idempotent: true,
  body: Type.Object(amountPartFields),
  reply: Type.Object(amountPartFields),
});

/**
 * Moves the merchant's sandbox time forward, never back. Everything that falls due on the way
 * happens at its own time and in order before the reply is sent. The simulated banks and cards move
 * with it.
 */
export const advanceSandboxClock = operation({
  id: 'advanceSandboxClock',
  route: 'POST /api/sandbox/clock',
  access: 'sandboxSecret',
  summary: "Move the sandbox merchant's time on.",
  rules: ['TIME-2'],
  idempotent: true,
  body: Type.Object({
    advanceMs: Type.Integer({
      minimum: 0,
      maximum: limits.clockAdvanceMsMax,
      unusual: unusualAdvance,
      description: 'Milliseconds; 0 only reads the time.',
    }),
  }),
  reply: Type.Object({
    now: timestamp("The merchant's sandbox time."),
    offsetMs: Type.Integer({ description: 'Milliseconds that it is ahead of real time.' }),
    remainingMs: Type.Integer({
      description: 'Milliseconds left when very many steps were due: call again for the rest.',
    }),
  }),
  failsWith: ['unavailable'],
});
