import { type Dispatcher, request } from 'undici';
import type { BankAccount } from './bank-rail.ts';
import type { CardChallenge, PayerBehaviour, PayerCard, PayerRail } from './payer-rail.ts';

/** Cookies of one visit to one bank; nothing is stored longer. */
const cookieJar = () => {
  const cookies = new Map<string, string>();
  return {
    store: (setCookie: string | readonly string[] | undefined): void => {
      for (const line of [setCookie ?? []].flat()) {
        const [pair = ''] = line.split(';');
        const at = pair.indexOf('=');
        const name = pair.slice(0, at).trim();
        const value = pair.slice(at + 1).trim();
        if (value === '') cookies.delete(name);
        else cookies.set(name, value);
      }
    },
    headerFor: (): { readonly cookie?: string } =>
      cookies.size === 0
        ? {}
        : { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
  };
};

type Form = { readonly action: string; readonly fields: Readonly<Record<string, string>> };

const attribute = (tag: string, name: string): string | null =>
  new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]?.replaceAll('&amp;', '&') ?? null;

/** The form of a bank's page that is marked with this step, with its prefilled values. */
const formWithStep = (html: string, step: string): Form | null => {
  for (const [, open = '', inside = ''] of html.matchAll(/(<form\b[^>]*>)([\s\S]*?)<\/form>/g))
    if (attribute(open, 'data-step') === step)
      return { action: attribute(open, 'action') ?? '', fields: fieldsOf(inside) };
  return null;
};

const fieldsOf = (inside: string): Record<string, string> => {
  const fields: Record<string, string> = {};
  for (const [tag] of inside.matchAll(/<input\b[^>]*>/g)) {
    const name = attribute(tag, 'name');
    const type = attribute(tag, 'type') ?? 'text';
    const isChecked = /\schecked\b/.test(tag);
    const isFirst = !(name && name in fields);
    const isChosen = type === 'radio' ? isChecked || isFirst : type !== 'checkbox' || isChecked;
    if (name && type !== 'submit' && isChosen) fields[name] = attribute(tag, 'value') ?? '';
  }
  return fields;
};

const stepTimeoutMs = 10_000;
const maxPageBytes = 262_144;
const maxRedirects = 10;

type Page = { readonly url: string; readonly html: string };
type Step =
  | { readonly kind: 'PAGE'; readonly page: Page }
  | { readonly kind: 'BACK'; readonly url: URL };

type Browse = {
  readonly open: (url: string) => Promise<Step>;
  readonly post: (
    page: Page,
    form: Form,
    fields: Readonly<Record<string, string>>,
  ) => Promise<Step>;
};

/** A browser without a window; it stops when the visited site redirects it back to us. */
const browser = (isBack: (url: string) => boolean): Browse => {
  const cookies = cookieJar();
  const go = async (url: string, fields: URLSearchParams | null, hop = 0): Promise<Step> => {
    if (isBack(url)) return { kind: 'BACK', url: new URL(url) };
    if (hop > maxRedirects) throw new Error('the simulated site redirects without an end');
    const answer = await request(url, {
      method: fields ? 'POST' : 'GET',
      headers: {
        ...cookies.headerFor(),
        ...(fields && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      body: fields?.toString() ?? null,
      signal: AbortSignal.timeout(stepTimeoutMs),
    });
    cookies.store(answer.headers['set-cookie']);
    const { location } = answer.headers;
    const html = await pageText(answer);
    if (typeof location === 'string') return go(new URL(location, url).toString(), null, hop + 1);
    return { kind: 'PAGE', page: { url, html } };
  };
  return {
    open: (url) => go(url, null),
    post: (page, form, fields) =>
      go(
        new URL(form.action, page.url).toString(),
        new URLSearchParams({ ...form.fields, ...fields }),
      ),
  };
};

const pageText = async (answer: Dispatcher.ResponseData): Promise<string> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer.body) {
    size += (chunk as Buffer).length;
    if (size > maxPageBytes) throw new Error('the simulated site sends too long a page');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
};

const decisions: Readonly<Record<Exclude<CardChallenge, 'ABANDON'>, string>> = {
  APPROVE: 'approve',
  DECLINE: 'decline',
};

/** Pays once and takes one challenge, as a customer would; a second attempt is a second visit. */
export const payByCard: PayerRail['payByCard'] = async (address, card) => {
  const { origin } = new URL(address);
  const browse = browser((url) => new URL(url).origin !== origin);
  const first = await browse.open(address);
  const paid = first.kind === 'PAGE' ? await giveCard(browse, first.page, card) : first;
  const last = paid.kind === 'PAGE' ? await answerChallenge(browse, paid.page, card) : paid;
  if (last === 'ABANDONED') return { kind: 'ABANDONED' };
  if (last.kind === 'BACK') return { kind: 'RETURNED', url: last.url.toString() };
  return { kind: formWithStep(last.page.html, 'card') ? 'DECLINED' : 'CLOSED' };
};

/** A page without a form for a card is passed on: it may be the challenge already. */
const giveCard = async (browse: Browse, page: Page, card: PayerCard): Promise<Step> => {
  if (card.savedCard !== undefined) {
    const saved = formWithStep(page.html, 'saved-card');
    if (saved) return browse.post(page, saved, { paymentMethod: card.savedCard });
  }
  const form = formWithStep(page.html, 'card');
  if (!form || card.cardNumber === undefined) return { kind: 'PAGE', page };
  return browse.post(page, form, { ...anyDetails, number: card.cardNumber });
};

const anyDetails = { expiry: '12/40', cvc: '123', name: 'Sandbox Payer' };

const answerChallenge = async (
  browse: Browse,
  page: Page,
  { challenge = 'APPROVE' }: PayerCard,
): Promise<Step | 'ABANDONED'> => {
  const form = formWithStep(page.html, 'challenge');
  if (!form) return { kind: 'PAGE', page };
  if (challenge === 'ABANDON') return 'ABANDONED';
  return browse.post(page, form, { decision: decisions[challenge] });
};

const maxSteps = 20;

/** Walks through the pages of a simulated bank as a customer's browser would. */
export const visitBank =
  (isBack: (url: string) => boolean): PayerRail['visitBank'] =>
  async (authorisationUrl, behaviour, account) => {
    const username = behaviour === 'approve' && account ? holderOf(account) : behaviour;
    const browse = browser(isBack);
    let step = await browse.open(authorisationUrl);
    for (let count = 0; step.kind === 'PAGE' && count < maxSteps; count += 1)
      step = await answerPage(browse, step.page, behaviour, username);
    if (step.kind !== 'BACK') throw new Error('the simulated bank never sent its customer back');
    return broughtBack(step.url);
  };

/** In the query or, at some banks, in the fragment. */
const broughtBack = ({ searchParams, hash }: URL): Readonly<Record<string, string>> =>
  Object.fromEntries([...searchParams, ...new URLSearchParams(hash.slice(1))]);

/** The simulator knows the holder of an account by its number. */
const holderOf = ({ sortCode, accountNumber }: Omit<BankAccount, 'name'>): string =>
  `${sortCode}-${accountNumber}`;

const answerPage = (
  browse: Browse,
  page: Page,
  behaviour: PayerBehaviour,
  username: string,
): Promise<Step> => {
  const login = formWithStep(page.html, 'login');
  if (login) return browse.post(page, login, { username, password: 'sandbox' });
  const approval = formWithStep(page.html, 'approve');
  if (!approval) throw new Error('the simulated bank shows a page without a form');
  const decision = behaviour === 'decline' ? 'decline' : 'approve';
  return browse.post(page, approval, { decision });
};

/** `returnAddresses`: where the simulated banks return a customer to. */
export const simulatedPayer = (returnAddresses: readonly string[]): PayerRail => ({
  visitBank: visitBank((url) => returnAddresses.includes(url.replace(/[?#].*$/, ''))),
  payByCard,
});
