import type Stripe from 'stripe';
import type { StripeSettings, StripeTools } from './settings.ts';

/** One merchant's account in one environment, as every step sees it. */
export type Account = {
  readonly settings: StripeSettings;
  readonly tools: StripeTools;
  readonly stripe: Stripe;
};
