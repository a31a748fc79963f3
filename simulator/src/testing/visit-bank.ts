import { request } from 'undici';

export type Page = {
  readonly url: string;
  readonly status: number;
  readonly text: string;
};

export type CustomerChoices = {
  readonly login?: string;
  readonly decision?: 'approve' | 'decline';
  readonly account?: number;
};

const formType = { 'content-type': 'application/x-www-form-urlencoded' };

// The whole visit; answers the address the bank returns the customer to, or the page they stay on.
export const visitBank = async (url: string, choices: CustomerChoices = {}): Promise<Page> => {
  const browser = openBrowser();
  const afterLogin = await logIn(browser, await browser.visit(url), choices.login ?? 'approve');
  if (!afterLogin.text.includes('data-step="approve"')) return afterLogin;
  return decide(browser, afterLogin, choices);
};

// A browser without a screen: cookies, redirects and forms, and no JavaScript.
export const openBrowser = () => {
  const cookies: { name: string; value: string; path: string }[] = [];

  const visit = async (url: string, fields?: Readonly<Record<string, string>>): Promise<Page> => {
    const page = await send(url, fields);
    if (!page.next) return page;
    const address = new URL(page.next, url);
    // The client's address is not visited: its parameters are for the client.
    if (address.origin !== new URL(url).origin) return { ...page, url: address.href };
    return visit(address.href);
  };

  const send = async (url: string, fields?: Readonly<Record<string, string>>) => {
    const reply = await request(url, {
      method: fields ? 'POST' : 'GET',
      headers: { accept: 'text/html', cookie: cookieFor(url), ...(fields && formType) },
      body: fields ? new URLSearchParams(fields).toString() : null,
    });
    for (const line of [reply.headers['set-cookie'] ?? []].flat()) store(line);
    const next = reply.statusCode < 400 ? reply.headers.location?.toString() : undefined;
    return { url, status: reply.statusCode, text: await reply.body.text(), next };
  };

  const cookieFor = (url: string) => {
    const { pathname } = new URL(url);
    const sent = cookies.filter((each) => pathname.startsWith(each.path));
    return sent.map((each) => `${each.name}=${each.value}`).join('; ');
  };

  const store = (line: string) => {
    const [pair = '', ...attributes] = line.split(/;\s*/);
    const at = pair.indexOf('=');
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
    const path = attributes.find((each) => /^path=/i.test(each))?.slice(5) ?? '/';
    const index = cookies.findIndex((each) => each.name === name && each.path === path);
    if (index >= 0) cookies.splice(index, 1);
    if (value !== '') cookies.push({ name, value, path });
  };

  return { visit };
};

export type Browser = ReturnType<typeof openBrowser>;

export const logIn = async (browser: Browser, page: Page, login: string): Promise<Page> =>
  browser.visit(actionOf(page, 'login'), { username: login, password: 'anything' });

export const decide = async (
  browser: Browser,
  page: Page,
  choices: CustomerChoices,
): Promise<Page> => {
  const radios = page.text.matchAll(
    /<input type="(?:radio|checkbox)"[^>]* name="account" value="([^"]+)"/g,
  );
  const account = [...radios].map((match) => match[1] ?? '')[choices.account ?? 0] ?? '';
  const decision = choices.decision ?? 'approve';
  return browser.visit(actionOf(page, 'approve'), { account, decision });
};

// Where a form of a page leads.
export const actionOf = (page: Page, step: string): string => {
  const form = new RegExp(`<form data-step="${step}"[^>]*>`).exec(page.text)?.[0];
  const action = form && /action="([^"]+)"/.exec(form)?.[1];
  if (!action) throw new Error(`no ${step} form at ${page.url} (${page.status}): ${page.text}`);
  return new URL(action, page.url).href;
};
