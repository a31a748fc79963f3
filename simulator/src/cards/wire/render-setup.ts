import type { PaymentError, SetupRecord } from '../model.ts';
import { declineOf } from '../rules/decline-of.ts';
import { type Rendered, seconds } from './render-charge.ts';

export const renderSetup = (setup: SetupRecord, pagesUrl: string): Rendered => ({
  id: setup.id,
  object: 'setup_intent',
  allowed_payment_method_types: null,
  application: null,
  automatic_payment_methods: null,
  cancellation_reason: setup.cancellationReason,
  client_secret: setup.clientSecret,
  created: seconds(setup.createdAt),
  customer: setup.customerId,
  description: setup.description,
  excluded_payment_method_types: null,
  flow_directions: null,
  last_setup_error: setup.lastError && renderSetupError(setup, setup.lastError),
  latest_attempt: null,
  livemode: false,
  mandate: null,
  metadata: setup.metadata,
  next_action: setup.challenge && {
    type: 'redirect_to_url',
    redirect_to_url: {
      url: `${pagesUrl}/challenge/${setup.challenge.id}/${setup.id}`,
      return_url: setup.returnUrl,
    },
  },
  on_behalf_of: null,
  payment_method: setup.status === 'requires_payment_method' ? null : setup.methodId,
  payment_method_configuration_details: null,
  payment_method_options: {
    card: {
      mandate_options: null,
      network: null,
      request_three_d_secure: setup.requestThreeDs,
    },
  },
  payment_method_types: ['card'],
  single_use_mandate: null,
  status: setup.status,
  usage: setup.usage,
});

export const renderSetupError = (setup: SetupRecord, error: PaymentError) => {
  const decline = error.declineCode === null ? undefined : declineOf(error.declineCode);
  return {
    type: decline ? 'card_error' : 'invalid_request_error',
    code: error.code,
    message: error.message,
    ...(decline && { decline_code: error.declineCode, advice_code: decline.advice }),
    ...(setup.methodId && {
      payment_method: { id: setup.methodId, object: 'payment_method', type: 'card' },
    }),
  };
};
