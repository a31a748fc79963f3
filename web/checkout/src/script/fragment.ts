const maxFields = 30;

/**
 * Sends what the bank wrote behind the `#` to the server, and removes it from the address, the history
 * and the page.
 */
export const postFragment = (): void => {
  const to = document.querySelector<HTMLElement>('[data-fragment]')?.dataset.fragment;
  if (to === undefined) return;
  const form = document.createElement('form');
  form.method = 'post';
  form.action = to;
  const parameters = new URLSearchParams(location.hash.slice(1));
  history.replaceState(null, '', location.pathname);
  for (const [name, value] of [...parameters].slice(0, maxFields)) {
    const field = document.createElement('input');
    field.type = 'hidden';
    field.name = name;
    field.value = value;
    form.append(field);
  }
  document.body.append(form);
  HTMLFormElement.prototype.submit.call(form);
  form.remove();
};
