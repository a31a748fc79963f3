import type { IntentParameters } from '../model.ts';
import { invalid } from '../rules/api-error.ts';
import { metadataParam, type Params, paramOneOf, textParam } from '../wire/parameters.ts';

const captureMethods = ['automatic', 'automatic_async', 'manual'] as const;
const futures = ['off_session', 'on_session'] as const;
const usages = ['unscheduled', 'recurring', 'installment'] as const;
const requests = ['automatic', 'any', 'challenge'] as const;

const card = 'payment_method_options.card';

export const readIntentParameters = (params: Params): IntentParameters => {
  const setupFutureUsage =
    paramOneOf(params, 'setup_future_usage', futures) ??
    paramOneOf(params, `${card}.setup_future_usage`, futures);
  const storedCredentialUsage = paramOneOf(params, `${card}.stored_credential_usage`, usages);
  if (storedCredentialUsage !== null && setupFutureUsage !== null) {
    const param = `${card}.stored_credential_usage`;
    throw invalid('stored_credential_usage cannot be used with setup_future_usage.', param);
  }
  return {
    captureMethod:
      paramOneOf(params, 'capture_method', captureMethods) ??
      paramOneOf(params, `${card}.capture_method`, ['manual']) ??
      'automatic_async',
    description: textParam(params, 'description'),
    receiptEmail: textParam(params, 'receipt_email'),
    statementDescriptorSuffix: textParam(params, 'statement_descriptor_suffix'),
    metadata: metadataParam(params),
    setupFutureUsage,
    setupCredentialUsage: paramOneOf(params, `${card}.setup_credential_usage`, usages),
    storedCredentialUsage,
    requestThreeDs: paramOneOf(params, `${card}.request_three_d_secure`, requests) ?? 'automatic',
  };
};
