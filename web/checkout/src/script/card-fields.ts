/** What the card processor's script offers for the fields of a session. */
type Processor = (publicKey: string) => {
  readonly createEmbeddedCheckoutPage: (options: {
    readonly fetchClientSecret: () => Promise<string>;
  }) => Promise<{ readonly mount: (place: HTMLElement) => void }>;
};

type Page = Window & {
  readonly Stripe?: Processor;
  readonly trustedTypes?: {
    readonly createPolicy: (
      name: string,
      rules: { readonly createScriptURL: (address: string) => string },
    ) => unknown;
  };
};

const page: Page = window;
const place = document.querySelector<HTMLElement>('[data-card-fields]');
const script = document.querySelector<HTMLScriptElement>('[data-processor]');
const opening = document.querySelector<HTMLElement>('[data-card-opening]');

/** The processor's script may load others of its origins, which `script-src` names, and do no more. */
const allowItsScripts = (): void => {
  page.trustedTypes?.createPolicy('default', { createScriptURL: (address) => address });
};

const show = async (): Promise<void> => {
  const { key = '', secret = '' } = place?.dataset ?? {};
  if (!place || !page.Stripe) throw new Error('the card processor has no script here');
  const processor = page.Stripe(key);
  const fields = await processor.createEmbeddedCheckoutPage({
    fetchClientSecret: async () => secret,
  });
  fields.mount(place);
  opening?.remove();
};

/** Offers the processor's own page, as without a script; in a dialog the form ends. */
const giveUp = (): void => {
  const { without } = place?.dataset ?? {};
  if (without === undefined) {
    place?.parentElement?.remove();
    for (const each of document.querySelectorAll('.asked')) each.remove();
    document.querySelector('[data-card-page]')?.classList.remove('unscripted');
  } else location.replace(without);
};

if (script) {
  allowItsScripts();
  script.addEventListener('load', () => void show().catch(giveUp));
  script.addEventListener('error', giveUp);
}

/** The processor tells of a refusal among its fields, and knows no other way to pay. */
document.addEventListener('renewed', ({ detail }: CustomEventInit<Document>) => {
  if (detail?.querySelector('.card > .note'))
    document.querySelector('[data-after-refusal]')?.removeAttribute('hidden');
});

/** That of a large window of a card's bank (EMV 3-D Secure), where its page does not tell its own. */
const usualHeight = 600;
const mostHeight = 1200;
const wayOutMs = 5_000;

/** An empty frame loads too. The page of a bank cannot be looked into. */
const isBlank = ({ contentWindow }: HTMLIFrameElement): boolean => {
  try {
    return contentWindow?.location.href === 'about:blank';
  } catch {
    return false;
  }
};

/**
 * The card's bank asks in a frame; the page follows the payment, and shows what came of it. Where the
 * frame stays empty, the same button leads to the bank.
 */
const askInFrame = (form: HTMLFormElement, around: HTMLElement): void => {
  const framed = form.querySelector<HTMLInputElement>('[name=framed]');
  const frame = document.createElement('iframe');
  if (!framed) return;
  framed.disabled = false;
  frame.name = 'challenge';
  form.target = frame.name;
  frame.title = form.dataset.challenge ?? '';
  let height = usualHeight;
  // A page that tells its height is there.
  const wayOut = form.querySelector('[data-way-out]');
  const offering = setTimeout(() => {
    wayOut?.removeAttribute('hidden');
    const said = around.querySelector<HTMLElement>('[data-slow]');
    if (said) said.textContent = said.dataset.slow ?? '';
  }, wayOutMs);
  const fit = (): void => {
    if (around.dataset.loaded !== undefined) frame.style.height = `${height}px`;
  };
  addEventListener('message', ({ source, data }) => {
    if (source !== frame.contentWindow || !(Number(data?.height) > 0)) return;
    height = Math.min(Number(data.height), mostHeight);
    fit();
    clearTimeout(offering);
  });
  frame.addEventListener('load', () => {
    if (isBlank(frame)) return;
    around.dataset.loaded = '';
    fit();
  });
  around.append(frame);
  form.requestSubmit();
  framed.disabled = true;
  form.target = '';
};

const question = document.querySelector<HTMLFormElement>('[data-challenge]');
const around = document.querySelector<HTMLElement>('[data-challenge-place]');
if (question && around) askInFrame(question, around);
