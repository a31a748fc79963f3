import { paramOneOf, refuseUnknownParams } from '../wire/param.ts';
import type { Operation } from './call.ts';
import { listBody, pageOf } from './lists.ts';

// One configuration, as a new account has it. A wallet of a real device cannot pay here, so it is
// off; `test_wallet` is the only member that the real API does not have.
export const listConfigurations: Operation = async (call) => {
  refuseUnknownParams(call.params, ['limit', 'starting_after', 'ending_before', 'active']);
  const { after, before } = pageOf(call);
  const isWanted = paramOneOf(call.params, 'active', ['true', 'false']) !== 'false';
  const isOnPage = isWanted && after === undefined && before === undefined;
  return { body: listBody('/v1/payment_method_configurations', isOnPage ? [standard] : []) };
};

const method = (isOn: boolean) => {
  const preference = isOn ? 'on' : 'off';
  return {
    available: isOn,
    display_preference: { overridable: null, preference, value: preference },
  };
};

const standard = {
  id: 'pmc_1SimulatedMerchant',
  object: 'payment_method_configuration',
  active: true,
  application: null,
  is_default: true,
  livemode: false,
  name: 'Default',
  parent: null,
  card: method(true),
  apple_pay: method(false),
  google_pay: method(false),
  test_wallet: method(true),
};
