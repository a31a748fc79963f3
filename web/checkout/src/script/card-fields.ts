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
    document.querySelector('[data-card-page]')?.classList.remove('unscripted');
  } else location.replace(without);
};

if (script) {
  allowItsScripts();
  script.addEventListener('load', () => void show().catch(giveUp));
  script.addEventListener('error', giveUp);
}

const declinedText = (): string =>
  document.querySelector('[data-live="declined"]')?.textContent ?? '';

/** What our page says of a refused card stands beneath the fields: it comes into sight, once. */
const showDecline = (): void => {
  let known = declinedText();
  document.addEventListener('renewed', () => {
    const now = declinedText();
    if (now !== known) document.querySelector('.declined')?.scrollIntoView({ block: 'nearest' });
    known = now;
  });
};

showDecline();

/** As high as the largest window of a card's bank (EMV 3-D Secure); on a phone its text takes more lines. */
const frameHeight = innerWidth < 480 ? 780 : 640;
const frameStyle = `display: block; width: 100%; height: ${frameHeight}px; border: 0; border-radius: 12px`;

/**
 * The card's bank asks in a frame; the page follows the payment, and shows what came of it. Where the
 * frame stays empty, the same button leads to the bank.
 */
const askInFrame = (form: HTMLFormElement): void => {
  const framed = form.querySelector<HTMLInputElement>('[name=framed]');
  const frame = document.createElement('iframe');
  if (!framed) return;
  framed.disabled = false;
  frame.name = 'challenge';
  form.target = frame.name;
  frame.title = form.dataset.challenge ?? '';
  frame.style.cssText = frameStyle;
  // The page of a bank that knows no dark ground is written for a white one.
  frame.addEventListener('load', () => {
    frame.style.background = '#fff';
  });
  form.parentElement?.before(frame);
  form.requestSubmit();
  framed.disabled = true;
  form.target = '';
};

const question = document.querySelector<HTMLFormElement>('[data-challenge]');
if (question) askInFrame(question);
