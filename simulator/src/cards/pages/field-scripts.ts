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
      if (data.isAtTop) frame.scrollIntoView();
      if (data.returnUrl) location.assign(data.returnUrl);
    });
    return { mount: (place) => place.append(frame), destroy: () => frame.remove() };
  };
  window.Stripe = (key) => ({
    createEmbeddedCheckoutPage: async ({ fetchClientSecret }) => open(key, await fetchClientSecret()),
  });
})();
`;

// What a page in that frame tells the shop's page: its height, what is to be seen, and where a paid
// session leads.
export const frameScript = `(() => {
  const tell = (message) => parent.postMessage(message, '*');
  const onward = document.querySelector('a[target="_top"]');
  new ResizeObserver(() => tell({ height: document.body.offsetHeight })).observe(document.body);
  if (document.querySelector('.mistake, #challenge-form')) tell({ isAtTop: true });
  if (onward) tell({ returnUrl: onward.href });
})();
`;
