import { approveAtBank } from '../../service/src/rails/open-banking-uk/test/approve-at-bank.ts';

export type ReturnParameters = Readonly<Record<string, string>>;

export type Answer = { readonly status: number; readonly location: string; readonly text: string };

const testBankId = 'mock-sandbox-v1';

type Visit = (path: string, form?: Readonly<Record<string, string>>) => Promise<Answer>;

const visitor =
  (url: string, cookies: Map<string, string> | null): Visit =>
  async (path, form) => {
    const reply = await fetch(new URL(path, url), {
      redirect: 'manual',
      method: form ? 'POST' : 'GET',
      headers: {
        cookie: [...(cookies ?? openedIn(path, form))].map((p) => p.join('=')).join('; '),
      },
      ...(form ? { body: new URLSearchParams(form) } : {}),
    });
    for (const set of reply.headers.getSetCookie()) {
      const [name = '', value = ''] = (set.split(';')[0] ?? '').split('=');
      cookies?.set(name, value);
    }
    const location = reply.headers.get('location') ?? '';
    return { status: reply.status, location, text: await reply.text() };
  };

/** As a browser that opened the payment's link before. */
const openedIn = (
  path: string,
  form: Readonly<Record<string, string>> = {},
): [string, string][] => {
  const [, id = form.paymentRequestId] = /paymentRequestId=([0-9a-f-]{36})/.exec(path) ?? [];
  return id === undefined ? [] : [['florin_opened', id]];
};

/** A payer without script: every step could come from another browser that opened the link. */
export const openPayer = (url: string) => {
  const visit = visitor(url, null);
  const pageOf = (id: string, more = ''): string =>
    `/pay?paymentRequestId=${id}&source=EXTERNAL_MERCHANT${more}`;

  /** The text of the page, without markup. */
  const readPage = async (id: string): Promise<string> => {
    const { text } = await visit(pageOf(id));
    const [, body = text] = /<body[^>]*>([\s\S]*)<\/body>/.exec(text) ?? [];
    return body.replace(/<(script|style)[\s\S]*?<\/\1>|<[^>]+>/g, ' ').replace(/\s+/g, ' ');
  };

  /** Chooses a bank and continues; answers the address of the redirect. */
  const start = async (id: string, institutionId = testBankId): Promise<string> => {
    const review = await visit(pageOf(id, `&institutionId=${institutionId}`));
    const field = /<input[^>]*name="formToken"[^>]*>/.exec(review.text)?.[0] ?? '';
    const formToken = /value="([^"]*)"/.exec(field)?.[1] ?? '';
    const form = { paymentRequestId: id, institutionId, formToken };
    return (await visit('/pay/start', form)).location;
  };

  /** As our page posts it, where the bank brought it in the fragment. */
  const comeBack = (parameters: ReturnParameters): Promise<Answer> =>
    parameters.id_token
      ? visit('/bank-return', parameters)
      : visit(`/bank-return?${new URLSearchParams(parameters)}`);

  return {
    visit,
    /** Another browser, which keeps its cookies. */
    openBrowser: () => visitor(url, new Map()),
    readPage,
    start,
    comeBack,
    /** Approves at the bank; null when the bank does not send the payer back. */
    approve: (authorisationUrl: string, login = 'approve') =>
      approveAtBank(authorisationUrl, login),
    /** From the link to the return; null when the bank does not send the payer back. */
    pay: async (id: string, login = 'approve', bankId?: string): Promise<Answer | null> => {
      const address = await start(id, bankId);
      // No bank could be reached: the page shows it.
      if (address.startsWith('/')) return visit(address);
      const parameters = await approveAtBank(address, login);
      return parameters && comeBack(parameters);
    },
  };
};
