export {
  readCardRegistration,
  type StripeSettings,
  type StripeTools,
  type Timeouts,
} from './account/settings.ts';
export { openStripe, type StripeCards } from './stripe.ts';
