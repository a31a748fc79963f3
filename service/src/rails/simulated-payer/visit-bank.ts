import { type Dispatcher, request } from 'undici';
import type { PayerBehaviour, PayerRail } from '../payer-rail.ts';
import { cookieJar } from './cookie-jar.ts';
import { formWithStep } from './read-form.ts';

const mostSteps = 20;
const stepTimeoutMs = 10_000;
const mostPageBytes = 262_144;

type Page = { readonly url: string; readonly html: string };
type Step =
  | { readonly kind: 'PAGE'; readonly page: Page }
  | { readonly kind: 'BACK'; readonly url: URL };

/** Walks through the pages of a simulated bank as a customer's browser would. */
export const simulatedPayer = (returnAddress: string): PayerRail => ({
  visitBank: async (authorisationUrl, behaviour) => {
    const browse = browser(returnAddress);
    let step = await browse('GET', authorisationUrl);
    for (let count = 0; step.kind === 'PAGE' && count < mostSteps; count += 1)
      step = await answerPage(browse, step.page, behaviour);
    if (step.kind !== 'BACK') throw new Error('the simulated bank never sent its customer back');
    return Object.fromEntries(step.url.searchParams);
  },
});

type Browse = (method: 'GET' | 'POST', url: string, form?: URLSearchParams) => Promise<Step>;

const answerPage = (browse: Browse, page: Page, behaviour: PayerBehaviour): Promise<Step> => {
  const login = formWithStep(page.html, 'login');
  if (login) {
    const fields = { ...login.fields, username: behaviour, password: 'sandbox' };
    return browse('POST', new URL(login.action, page.url).toString(), new URLSearchParams(fields));
  }
  const approval = formWithStep(page.html, 'approve');
  if (!approval) throw new Error('the simulated bank shows a page without a form');
  const decision = behaviour === 'decline' ? 'decline' : 'approve';
  const fields = new URLSearchParams({ ...approval.fields, decision });
  return browse('POST', new URL(approval.action, page.url).toString(), fields);
};

const browser = (returnAddress: string): Browse => {
  const cookies = cookieJar();
  const browse: Browse = async (method, url, form) => {
    if (url.startsWith(returnAddress)) return { kind: 'BACK', url: new URL(url) };
    const answer = await request(url, {
      method,
      headers: {
        ...cookies.headerFor(),
        ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
      },
      body: form ? form.toString() : null,
      signal: AbortSignal.timeout(stepTimeoutMs),
    });
    cookies.keep(answer.headers['set-cookie']);
    const { location } = answer.headers;
    const html = await pageText(answer);
    if (typeof location === 'string') return browse('GET', new URL(location, url).toString());
    return { kind: 'PAGE', page: { url, html } };
  };
  return browse;
};

const pageText = async (answer: Dispatcher.ResponseData): Promise<string> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer.body) {
    size += (chunk as Buffer).length;
    if (size > mostPageBytes) throw new Error('the simulated bank sends too long a page');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
};
