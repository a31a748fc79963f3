import type { Operation } from '@florin/contract';
import { signIn } from '../../../../../test/harness/dashboard/sign-in.ts';
import { openTestService } from '../../../../../test/harness/open-test-service.ts';
import type { Route } from '../../../platform/http/route.ts';
import type { Tools } from '../../../platform/tools.ts';
import { memberRoutes } from '../member-routes.ts';

type Sent = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: object;
  readonly merchantId?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

export type Desk = Awaited<ReturnType<typeof openDesk>>;

/** The operations of the dashboard beside others, with an owner who is signed in. */
export const openDesk = async (others: (tools: Tools) => readonly Route[] = () => []) => {
  const forgotten: string[] = [];
  const forgetSecret = (secretId: string) => void forgotten.push(secretId);
  const service = await openTestService({
    routes: (tools) => [...memberRoutes({ ...tools, forgetSecret }), ...others(tools)],
  });
  const owner = await signIn(service.tools, { merchantId: service.merchant.merchantId });
  const call = async ({ method, path }: Operation, sent: Sent = {}) => {
    const { merchantId = service.merchant.merchantId, headers = owner.headers } = sent;
    const named = path.replaceAll(/:(\w+)/g, (_, name: string) => sent.params?.[name] ?? name);
    const query = new URLSearchParams(
      Object.entries(sent.query ?? {}).map(
        ([name, value]) => [name, String(value)] as [string, string],
      ),
    );
    return service.request(
      method,
      `/dashboard/api/merchants/${merchantId}/sandbox${named}?${query}`,
      { secret: null, headers, ...(sent.body && { body: sent.body }) },
    );
  };
  return { ...service, owner, call, forgotten };
};
