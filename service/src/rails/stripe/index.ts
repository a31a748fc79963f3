export { readCardRegistration } from './read-registration.ts';
export type { StripeSettings, StripeTools, Timeouts } from './settings.ts';
export type { StripeCards } from './stripe.ts';
export { openStripe } from './stripe.ts';
