const maxFields = 30;

/**
 * Sends what the bank wrote behind the `#` to the server, and removes it from the address and the
 * history.
 */
export const postFragment = (): void => {
  const form = document.querySelector<HTMLFormElement>('[data-fragment]');
  if (!form) return;
  const parameters = new URLSearchParams(location.hash.slice(1));
  history.replaceState(null, '', location.pathname);
  for (const [name, value] of [...parameters].slice(0, maxFields)) {
    const field = document.createElement('input');
    field.type = 'hidden';
    field.name = name;
    field.value = value;
    form.append(field);
  }
  HTMLFormElement.prototype.submit.call(form);
};
