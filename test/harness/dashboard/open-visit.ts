import type { TestReply, TestService } from '../open-test-service.ts';

/** A browser at the pages of the dashboard: it saves the cookies that it is given. */
export const openVisit = (service: Pick<TestService, 'request'>) => {
  const cookies = new Map<string, string>();
  const given: string[] = [];
  const call = async (method: string, path: string, body?: unknown): Promise<TestReply> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const reply = await service.request(method, path, {
      secret: null,
      headers: { origin: 'http://localhost:80', 'florin-dashboard': '1', cookie },
      ...(body === undefined ? {} : { body }),
    });
    for (const text of [reply.headers['set-cookie'] ?? []].flat().map(String)) {
      given.push(text);
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      if (/max-age=0/i.test(text)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return reply;
  };
  return { call, cookies, given };
};
