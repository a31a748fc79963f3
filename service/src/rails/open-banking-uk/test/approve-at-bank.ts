/** A payer's browser: follows the bank's pages until they lead back to us, or to a dead end. */
export const approveAtBank = async (
  authorisationUrl: string,
  login: string,
  decision: 'approve' | 'decline' = 'approve',
): Promise<Readonly<Record<string, string>> | null> => {
  const cookies = new Map<string, string>();
  let next: Visit | null = { url: authorisationUrl };
  const bank = new URL(authorisationUrl).origin;
  for (let step = 0; next && step < stepsMax; step += 1) {
    const reply: Response = await visit(next, cookies);
    const location: string | null = reply.headers.get('location');
    if (location) {
      const target: URL = new URL(location, next.url);
      if (target.origin !== bank) return broughtBack(target);
      next = { url: target.href };
    } else next = formOf(await reply.text(), next.url, login, decision);
  }
  return null;
};

/** In the query or, where only a script of ours can read it, in the fragment. */
const broughtBack = ({ searchParams, hash }: URL): Readonly<Record<string, string>> =>
  Object.fromEntries([...searchParams, ...new URLSearchParams(hash.slice(1))]);

const stepsMax = 20;

type Visit = { readonly url: string; readonly form?: URLSearchParams };

const visit = async (next: Visit, cookies: Map<string, string>): Promise<Response> => {
  const reply = await fetch(next.url, {
    redirect: 'manual',
    method: next.form ? 'POST' : 'GET',
    headers: { cookie: [...cookies].map((cookie) => cookie.join('=')).join('; ') },
    ...(next.form && { body: next.form }),
  });
  for (const line of reply.headers.getSetCookie()) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (name && value) cookies.set(name, value);
    else if (name) cookies.delete(name);
  }
  return reply;
};

const formOf = (page: string, url: string, login: string, decision: string): Visit | null => {
  const form = /<form[^>]*data-step="(\w+)"[^>]*action="([^"]*)"/.exec(page);
  if (!form) return null;
  const target = new URL((form[2] ?? '').replaceAll('&amp;', '&'), url).href;
  if (form[1] === 'login') return { url: target, form: new URLSearchParams({ username: login }) };
  const account = /name="account" value="([^"]*)"/.exec(page)?.[1] ?? '';
  return { url: target, form: new URLSearchParams({ account, decision }) };
};
