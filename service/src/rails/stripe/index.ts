export {
  readCardRegistration,
  type StripeSettings,
  type StripeTools,
} from './account/settings.ts';
export { openStripe, type StripeCards } from './stripe.ts';
