import { approveAtBank } from '../../service/src/rails/open-banking-uk/test/approve-at-bank.ts';

export type ReturnParameters = Readonly<Record<string, string>>;

export type Answer = { readonly status: number; readonly location: string; readonly text: string };

const testBankId = 'mock-sandbox-v1';

/** A payer without cookies or script: every step could come from another browser. */
export const openPayer = (url: string) => {
  const visit = async (path: string, form?: Readonly<Record<string, string>>): Promise<Answer> => {
    const reply = await fetch(new URL(path, url), {
      redirect: 'manual',
      method: form ? 'POST' : 'GET',
      ...(form ? { body: new URLSearchParams(form) } : {}),
    });
    const location = reply.headers.get('location') ?? '';
    return { status: reply.status, location, text: await reply.text() };
  };
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
