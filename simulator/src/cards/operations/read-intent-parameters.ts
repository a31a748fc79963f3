import type { IntentParameters } from '../model.ts';
import { invalid } from '../rules/api-error.ts';
import { metadataParam, type Params, paramAt, paramOneOf, textParam } from '../wire/parameters.ts';

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

// The parameters of an intent; missing ones stay as they were.
export const readIntentParameters = (
  params: Params,
  before: IntentParameters = nothing,
  options = 'payment_method_options',
): IntentParameters => {
  const card = `${options}.card`;
  const future = paramOneOf(params, 'setup_future_usage', ['off_session', 'on_session']);
  const futureOfCard = paramOneOf(params, `${card}.setup_future_usage`, [
    'off_session',
    'on_session',
  ]);
  const stored = paramOneOf(params, `${card}.stored_credential_usage`, usages);
  if (stored !== null && (future ?? futureOfCard) !== null) {
    const param = `${card}.stored_credential_usage`;
    throw invalid('stored_credential_usage cannot be used with setup_future_usage.', param);
  }
  return {
    captureMethod:
      paramOneOf(params, 'capture_method', captureMethods) ??
      paramOneOf(params, `${card}.capture_method`, ['manual']) ??
      before.captureMethod,
    description: textParam(params, 'description') ?? before.description,
    receiptEmail: textParam(params, 'receipt_email') ?? before.receiptEmail,
    statementDescriptorSuffix:
      textParam(params, 'statement_descriptor_suffix') ?? before.statementDescriptorSuffix,
    metadata:
      paramAt(params, 'metadata') === undefined
        ? before.metadata
        : metadataParam(params, 'metadata', before.metadata),
    setupFutureUsage: future ?? futureOfCard ?? before.setupFutureUsage,
    setupCredentialUsage:
      paramOneOf(params, `${card}.setup_credential_usage`, usages) ?? before.setupCredentialUsage,
    storedCredentialUsage: stored ?? before.storedCredentialUsage,
    requestThreeDs:
      paramOneOf(params, `${card}.request_three_d_secure`, requests) ?? before.requestThreeDs,
  };
};
