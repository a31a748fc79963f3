// What a shop's page loads: the part of Stripe.js that puts a session's fields into it.
export const fieldsScript = `(() => {
  const { origin } = new URL(document.currentScript.src);
  const open = (key, secret) => {
    const frame = document.createElement('iframe');
    frame.title = 'Secure card payment';
    frame.allow = 'payment *';
    frame.src = origin + '/cards/fields?' + new URLSearchParams({ key, secret });
    frame.style.cssText = 'display: block; width: 100%; height: 480px; border: 0';
    addEventListener('message', ({ source, origin: from, data }) => {
      if (source !== frame.contentWindow || from !== origin) return;
      if (data.height) frame.style.height = data.height + 'px';
      if ('isChallenge' in data) place.toggleAttribute('data-asks', data.isChallenge);
      const isHidden = frame.getBoundingClientRect().top < 0 || innerHeight < frame.offsetHeight;
      if (data.isAtTop && isHidden) frame.scrollIntoView();
      if (data.returnUrl) location.assign(data.returnUrl);
    });
    let place = document.body;
    const mount = (at) => {
      place = at;
      at.append(frame);
    };
    return { mount, destroy: () => frame.remove() };
  };
  window.Stripe = (key) => ({
    createEmbeddedCheckoutPage: async ({ fetchClientSecret }) => open(key, await fetchClientSecret()),
  });
})();
`;

// What a page in that frame tells the shop's page: its height, what is to be seen, and where a paid
// session leads. What was typed stays in it: the answer to a card that is not taken comes without.
export const frameScript = `(() => {
  const tell = (message) => parent.postMessage(message, '*');
  const part = (selector, of = document) => of.querySelector(selector);
  const isChallenge = part('#challenge-form') !== null;
  const tellHeight = () => tell({ height: document.body.offsetHeight, isChallenge });
  new ResizeObserver(tellHeight).observe(document.body);
  const onward = part('a[target="_top"]');
  if (onward) tell({ returnUrl: onward.href });
  const showWrong = () => {
    const wrong = part('.mistake, #problem');
    if (wrong || isChallenge) tell({ isAtTop: true });
    part('[aria-invalid]')?.focus({ preventScroll: true });
  };
  showWrong();
  const send = async (form) => {
    const body = new URLSearchParams(new FormData(form));
    const answer = await fetch(form.action, { method: 'POST', body });
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const next = part('#card-form', page);
    if (!next) return location.assign(answer.url);
    for (const { name, value, checked } of form.elements)
      if (name) Object.assign(next.elements[name], { value, checked });
    form.replaceWith(next);
    part('#problem')?.remove();
    next.before(part('#problem', page) ?? '');
    keep(next);
    showWrong();
    // The code alone is to be typed again, or another card over the refused one, which may be right.
    const refused = part('#problem');
    if (!refused) return;
    const { number, cvc } = next.elements;
    const isCodeWrong = /security code|CVC/i.test(refused.textContent);
    cvc.value = '';
    const again = isCodeWrong ? cvc : number;
    again.setAttribute('aria-describedby', 'problem');
    if (isCodeWrong) {
      again.setAttribute('aria-invalid', 'true');
      again.addEventListener('input', () => again.removeAttribute('aria-invalid'), { once: true });
    }
    again.focus({ preventScroll: true });
    again.select();
  };
  const brands = { visa: /^4/, mastercard: /^(5[1-5]|2[2-7])/, amex: /^3[47]/ };
  // In fours, and beside its own mark only. Who types in the middle is not moved from there.
  const dress = (number) => {
    const isAtEnd = number.selectionStart === number.value.length;
    if (isAtEnd) number.value = number.value.replace(/ /g, '').replace(/(\\d{4})(?=\\d)/g, '$1 ');
    const found = Object.keys(brands).find((brand) => brands[brand].test(number.value)) ?? '';
    part('.signs', number.parentElement).dataset.found = found;
  };
  const keep = (form) => {
    if (!form) return;
    const { number } = form.elements;
    dress(number);
    number.addEventListener('input', () => dress(number));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (form.isSent) return;
      form.isSent = true;
      send(form).catch(() => form.submit());
    });
  };
  keep(part('#card-form'));
})();
`;
