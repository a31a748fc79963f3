/** Copies an example, and remembers in which language the reader wants them. */
const copyButton = (pre) => {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(pre.textContent);
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2000);
  });
  return button;
};

if (navigator.clipboard)
  for (const pre of document.querySelectorAll('.code pre')) pre.after(copyButton(pre));

const chosen = localStorage.getItem('florin-docs-language');
for (const radio of document.querySelectorAll('[name=language]')) {
  if (radio.value === chosen) radio.checked = true;
  radio.addEventListener('change', () => localStorage.setItem('florin-docs-language', radio.value));
}
