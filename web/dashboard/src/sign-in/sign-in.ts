import {
  readSignIn,
  signIn,
  signInWithCode,
  signInWithPasskey,
  startPasskeySignIn,
} from '@florin/contract/dashboard/index.ts';
import { callOperation } from '../call/call-operation.ts';
import { getPasskey, hasPasskeys } from '../call/passkeys.ts';

/** The page stands in its HTML: this sends what is typed, and shows what comes next. */
const part = <Kind extends HTMLElement>(id: string): Kind => {
  const found = document.querySelector<Kind>(`#${id}`);
  if (!found) throw new Error(`The page has no ${id}.`);
  return found;
};

const title = part('title');
const problem = part('problem');
const byPassword = part<HTMLFormElement>('by-password');
const byCode = part<HTMLFormElement>('by-code');
const passkey = part<HTMLButtonElement>('passkey');
const buttons = [...document.querySelectorAll('button')];

/** Only to a page of our own: what follows one slash, never another host. */
const nextPage = (): string => {
  const next = new URLSearchParams(location.search).get('next');
  return `/dashboard${next && /^\/(?![/\\])/.test(next) ? next : '/'}`;
};

const typed = (form: HTMLFormElement, name: string): string =>
  String(new FormData(form).get(name) ?? '');

/** One at a time; what is refused is said below the fields. */
const send = async (act: () => Promise<void>): Promise<void> => {
  problem.hidden = true;
  for (const button of buttons) button.disabled = true;
  try {
    await act();
  } catch (error) {
    problem.textContent = error instanceof Error ? error.message : String(error);
    problem.hidden = false;
  }
  for (const button of buttons) button.disabled = false;
};

const enter = (): void => location.assign(nextPage());

const askForCode = (): void => {
  title.textContent = 'Enter your code';
  byPassword.hidden = true;
  part('other-ways').hidden = true;
  byCode.hidden = false;
  part<HTMLInputElement>('code').focus();
};

const onSubmit = (form: HTMLFormElement, act: () => Promise<void>): void =>
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send(act);
  });

onSubmit(byPassword, async () => {
  const body = {
    email: typed(byPassword, 'email').trim(),
    password: typed(byPassword, 'password'),
  };
  const { codeRequired } = await callOperation(signIn, { body });
  if (codeRequired) askForCode();
  else enter();
});

onSubmit(byCode, async () => {
  await callOperation(signInWithCode, { body: { code: typed(byCode, 'code').trim() } });
  enter();
});

passkey.addEventListener(
  'click',
  () =>
    void send(async () => {
      const { options } = await callOperation(startPasskeySignIn);
      await callOperation(signInWithPasskey, { body: { response: await getPasskey(options) } });
      enter();
    }),
);

const reveal = part<HTMLButtonElement>('reveal');
reveal.addEventListener('click', () => {
  const field = part<HTMLInputElement>('password');
  const isShown = field.type === 'text';
  field.type = isShown ? 'password' : 'text';
  reveal.setAttribute('aria-pressed', String(!isShown));
});

// As it was chosen in the dashboard, which keeps it under this name.
const scheme = localStorage.getItem('mantine-color-scheme-value');
if (scheme === 'light' || scheme === 'dark') document.documentElement.dataset.scheme = scheme;

passkey.hidden = !hasPasskeys();
for (const button of buttons) button.disabled = false;

const offerSignUp = async (): Promise<void> => {
  const { openSignUp } = await callOperation(readSignIn);
  part('sign-up').hidden = !openSignUp;
};
offerSignUp().catch(() => 'the page signs in all the same');

// A first visit has one thing to do.
if (document.activeElement === document.body) part('email').focus();
