import type { LinkView } from '@florin/contract';
import type { Page } from 'playwright-core';
import type { Journey } from '../harness/open-journey.ts';

/** All but WAITING, which lasts as long as a call to the bank. */
export type LinkPageName = `LINK_${Exclude<LinkView['page'], 'WAITING'>}`;

export type LinkState = {
  readonly name: string;
  readonly page: LinkPageName;
  readonly show: (page: Page, locale: string) => Promise<void>;
};

const staticBank = 'mock-sandbox-v1';
const hidden = /<input type="hidden" name="(\w+)" value="([^"]*)"/g;

/** Every page on which a customer links bank accounts. */
export const createLinkStates = async (
  { sandbox }: Journey,
  open: (page: Page, address: string) => Promise<void>,
): Promise<readonly LinkState[]> => {
  const initiate = async (): Promise<string> => {
    const body = { redirectUrl: 'https://shop.example/linked' };
    return (await sandbox.request('POST', '/api/bank/auth/initiate', { body })).body.accountAuthId;
  };
  const linked = async (): Promise<string> => {
    const id = await initiate();
    const path = `/api/sandbox/bank/auth/${id}/link`;
    const reply = await sandbox.request('POST', path, { body: { institutionId: staticBank } });
    if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
    return id;
  };
  const pathOf = (id: string, more = '') => `/link-bank?accountAuthId=${id}${more}`;
  /** The address of the bank's login, after the customer has agreed. */
  const atTestBank = async (): Promise<string> => {
    const consent = `${sandbox.url}${pathOf(await initiate(), `&institutionId=${staticBank}`)}`;
    const html = await (await fetch(consent)).text();
    const form = /<form[^>]*action="\/link-bank\/start"[\s\S]*?<\/form>/.exec(html)?.[0] ?? '';
    const inputs = [...form.matchAll(hidden)];
    const fields = Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, value]));
    const answer = await fetch(`${sandbox.url}/link-bank/start`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams(fields),
    });
    const { pathname, search } = new URL(answer.headers.get('location') ?? '', sandbox.url);
    return `${pathname}${search}`;
  };
  const state = (name: string, page: LinkPageName, path: string): LinkState => ({
    name,
    page,
    show: (to, locale) => open(to, `${sandbox.url}${path}&locale=${locale}`),
  });
  const [fresh, shown, ended, testBank] = await Promise.all([
    initiate(),
    linked(),
    linked(),
    atTestBank(),
  ]);
  const body = { accountAuthId: ended };
  await sandbox.request('POST', '/api/bank/auth/revoke', { body });
  return [
    state('link-choose', 'LINK_CHOOSE_BANK', pathOf(fresh)),
    state('link-bank-failed', 'LINK_CHOOSE_BANK', pathOf(fresh, '&failed=harbour-sandbox')),
    state('link-search-nothing', 'LINK_CHOOSE_BANK', pathOf(fresh, '&search=zzzz')),
    state('link-consent', 'LINK_CONSENT', pathOf(fresh, '&institutionId=harbour-sandbox')),
    state('link-test-bank', 'LINK_TEST_BANK', testBank),
    state('linked', 'LINK_LINKED', pathOf(shown)),
    state('link-confirmed', 'LINK_LINKED', pathOf(shown, '&confirmed=1')),
    state('link-ended', 'LINK_ENDED', pathOf(ended)),
  ];
};
