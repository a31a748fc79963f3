import type { Role } from '../../../contract/dashboard/index.ts';
import {
  addMembership,
  addPerson,
  sessionCookie,
  startSession,
} from '../../../service/src/modules/people/index.ts';
import type { Tools } from '../../../service/src/platform/tools.ts';

export type SignedIn = {
  readonly personId: string;
  readonly email: string;
  readonly password: string;
  readonly sessionId: string;
  /** Of every call: the session, and what the pages of the dashboard send. */
  readonly headers: Readonly<Record<string, string>>;
};

type NewPerson = {
  readonly merchantId?: string;
  readonly role?: Role;
  readonly inProduction?: boolean;
  readonly isOperator?: boolean;
  readonly name?: string;
  /** Where the server is reached; default: where `app.inject` calls. */
  readonly origin?: string;
};

type PeopleTools = Pick<Tools, 'database' | 'ids' | 'clock'> & Partial<Pick<Tools, 'config'>>;

/** A new person, signed in to the dashboard: with a role at a merchant, or an operator. */
export const signIn = async (tools: PeopleTools, person: NewPerson): Promise<SignedIn> => {
  const { merchantId, role = 'owner', inProduction = true, isOperator = false } = person;
  const { name = 'Ada Lovelace' } = person;
  const email = `${tools.ids.token(40)}@example.com`;
  const password = tools.ids.token(80);
  const personId = await addPerson(tools, { name, email, password, isOperator });
  if (!personId) throw new Error('a random address is taken');
  if (merchantId) await addMembership(tools, { merchantId, personId, role, inProduction });
  const { token, sessionId } = await startSession(tools, personId);
  const cookie = `${sessionCookie(tools.config ?? { dashboardOrigin: null, publicUrl: null })}=${token}`;
  return { personId, email, password, sessionId, headers: dashboardHeaders(cookie, person.origin) };
};

/** What a page of the dashboard sends with a session. */
const dashboardHeaders = (
  cookie: string,
  origin = 'http://localhost:80',
): Readonly<Record<string, string>> => ({
  cookie,
  origin,
  'florin-dashboard': '1',
});
