import type { Page } from 'playwright-core';
import { sql } from '../../service/src/platform/database/sql.ts';
import { statement } from '../../service/src/platform/database/statement.ts';
import type { Sandbox } from '../harness/open-sandbox.ts';

/** A device that keeps passkeys and says yes by itself. */
export const addAuthenticator = async (page: Page): Promise<void> => {
  const devices = await page.context().newCDPSession(page);
  await devices.send('WebAuthn.enable');
  await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
};

const sessionsOf = statement<{ readonly email: string }, { readonly way: string }>(
  'test_session_ways',
  sql('email')`
   select case when s.by_passkey then 'passkey' else 'password' end as way
   from person_session s join person p on p.person_id = s.person_id where p.email = :email`,
);

/** How a person began each session that they have. */
export const waysOf = async (
  { tools }: Pick<Sandbox, 'tools'>,
  email: string,
): Promise<readonly string[]> =>
  (await tools.database.system(sessionsOf, { email })).map(({ way }) => way);
