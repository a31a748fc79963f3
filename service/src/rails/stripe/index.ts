export { readCardRegistration } from './account/read-card-registration.ts';
export type { StripeSettings, StripeTools, Timeouts } from './account/settings.ts';
export type { StripeCards } from './stripe.ts';
export { openStripe } from './stripe.ts';
