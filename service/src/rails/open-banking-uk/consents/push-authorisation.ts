import { buildAuthorizationUrlWithPAR } from 'openid-client';
import type { RequestAuthorisation } from '../bank/bank.ts';
import { signRequestObject } from './sign-request-object.ts';

/** The signed request object, handed to the bank directly; the browser carries a mere reference. */
export const pushAuthorisation: RequestAuthorisation = async (bank, request) => {
  const { configuration } = await bank.discovered.get();
  const { requestObject, outside } = await signRequestObject(bank, request);
  const address = await buildAuthorizationUrlWithPAR(configuration, {
    request: requestObject,
    client_id: outside.client_id,
  });
  return address.href;
};
