import type { IntentParameters } from '../model.ts';
import { invalid } from '../rules/api-error.ts';
import type { Params } from '../wire/parse-form.ts';
import { at, metadata, oneOf, text } from '../wire/read-params.ts';

const captureMethods = ['automatic', 'automatic_async', 'manual'] as const;
const usages = ['unscheduled', 'recurring', 'installment'] as const;
const requests = ['automatic', 'any', 'challenge'] as const;

const nothing: IntentParameters = {
  captureMethod: 'automatic_async',
  description: null,
  receiptEmail: null,
  statementDescriptorSuffix: null,
  metadata: {},
  setupFutureUsage: null,
  setupCredentialUsage: null,
  storedCredentialUsage: null,
  requestThreeDs: 'automatic',
};

// The parameters of an intent; those not given stay as they were.
export const readIntentParameters = (
  params: Params,
  before: IntentParameters = nothing,
  options = 'payment_method_options',
): IntentParameters => {
  const card = `${options}.card`;
  const future = oneOf(params, 'setup_future_usage', ['off_session', 'on_session']);
  const futureOfCard = oneOf(params, `${card}.setup_future_usage`, ['off_session', 'on_session']);
  const stored = oneOf(params, `${card}.stored_credential_usage`, usages);
  if (stored !== null && (future ?? futureOfCard) !== null) {
    const param = `${card}.stored_credential_usage`;
    throw invalid('stored_credential_usage cannot be used with setup_future_usage.', param);
  }
  return {
    captureMethod:
      oneOf(params, 'capture_method', captureMethods) ??
      oneOf(params, `${card}.capture_method`, ['manual']) ??
      before.captureMethod,
    description: text(params, 'description') ?? before.description,
    receiptEmail: text(params, 'receipt_email') ?? before.receiptEmail,
    statementDescriptorSuffix:
      text(params, 'statement_descriptor_suffix') ?? before.statementDescriptorSuffix,
    metadata:
      at(params, 'metadata') === undefined
        ? before.metadata
        : metadata(params, 'metadata', before.metadata),
    setupFutureUsage: future ?? futureOfCard ?? before.setupFutureUsage,
    setupCredentialUsage:
      oneOf(params, `${card}.setup_credential_usage`, usages) ?? before.setupCredentialUsage,
    storedCredentialUsage: stored ?? before.storedCredentialUsage,
    requestThreeDs:
      oneOf(params, `${card}.request_three_d_secure`, requests) ?? before.requestThreeDs,
  };
};
