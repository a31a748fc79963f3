import type { Operation } from '@florin/contract';
import type { TestService } from '../../../../../test/harness/open-test-service.ts';

type Sent = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: object;
  readonly merchantId?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Calls an operation of the dashboard as its pages do, in the sandbox. */
export const memberCalls =
  (
    service: Pick<TestService, 'request' | 'merchant'>,
    ownHeaders: Readonly<Record<string, string>>,
  ) =>
  ({ method, path }: Operation, sent: Sent = {}) => {
    const { merchantId = service.merchant.merchantId, headers = ownHeaders, params = {} } = sent;
    const named = path.replaceAll(/:(\w+)/g, (_, name: string) => params[name] ?? name);
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(sent.query ?? {})) query.set(name, String(value));
    return service.request(
      method,
      `/dashboard/api/merchants/${merchantId}/sandbox${named}?${query}`,
      { secret: null, headers, ...(sent.body && { body: sent.body }) },
    );
  };
