import { failures } from '@florin/contract';
import { Failure } from '#kernel/failure.ts';

const bearer = /^bearer +(\S+) *$/i;

/** What stands behind `Bearer`; empty where there is nothing of this form. */
export const bearerSecret = (authorization: string | undefined): string =>
  bearer.exec(authorization ?? '')?.[1] ?? '';

/** The 401 of ACCESS-1. It tells what was sent apart, and of a secret nothing but that it is refused. */
export const refusedSecret = (authorization: string | undefined): Failure =>
  new Failure(failures.invalidCredential, { message: `${whatIsWrong(authorization)} ${remedy}` });

const remedy = 'Send "Authorization: Bearer <secret>".';

const whatIsWrong = (authorization: string | undefined): string => {
  if (authorization === undefined || /^(?:bearer)? *$/i.test(authorization))
    return 'This operation needs an access secret, and none was sent.';
  if (!/^bearer /i.test(authorization))
    return 'The Authorization header does not begin with "Bearer ".';
  return 'This access secret is not valid: it is mistyped, expired or revoked.';
};
