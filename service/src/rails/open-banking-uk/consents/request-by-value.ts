import type { RequestAuthorisation } from '../bank/bank.ts';
import { signRequestObject } from './sign-request-object.ts';

/** The signed request object in the browser's address. OpenID wants four of its members outside too. */
export const requestByValue: RequestAuthorisation = async (bank, request) => {
  const { authorisationEndpoint } = await bank.discovered.get();
  const { requestObject, outside } = await signRequestObject(bank, request);
  const query = new URLSearchParams({
    ...outside,
    ...(bank.profile.quirks.includes('nonceAlsoInQuery') && {
      nonce: request.authorisation.nonce,
    }),
    request: requestObject,
  });
  // Put together as text: the address of an app has no form that URL would keep.
  return `${authorisationEndpoint}${authorisationEndpoint.includes('?') ? '&' : '?'}${query}`;
};
