import { addMembership, addPerson } from '#modules/people/index.ts';
import type { Tools } from '#platform/tools.ts';

/** Who may sign in to the dashboard of the demo merchant. */
export type DemoLogin = {
  readonly dashboardUrl: string;
  readonly dashboardEmail: string | null;
  readonly dashboardPassword: string | null;
};

type Known = Partial<DemoLogin> & { readonly merchantId: string };

const email = 'demo@example.com';
const passwordBits = 80;

/** An owner of the demo merchant who operates the installation too, made once. */
export const demoLogin = async (
  tools: Pick<Tools, 'database' | 'ids'>,
  { merchantId, dashboardEmail, dashboardPassword }: Known,
): Promise<Omit<DemoLogin, 'dashboardUrl'>> => {
  if (dashboardEmail && dashboardPassword) return { dashboardEmail, dashboardPassword };
  const password = tools.ids.token(passwordBits);
  const name = 'Demo Owner';
  const personId = await addPerson(tools, { name, email, password, isOperator: true });
  // The start ended before its file was written, or somebody signed up with the address.
  if (!personId) return { dashboardEmail: null, dashboardPassword: null };
  await addMembership(tools, { merchantId, personId, role: 'owner', inProduction: true });
  return { dashboardEmail: email, dashboardPassword: password };
};
