/** What stood in a field before somebody typed in it, until something is sent. */
const before = new Map<Field, string>();

type Field = HTMLInputElement | HTMLTextAreaElement;

const isField = (target: EventTarget | null): target is Field =>
  (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) &&
  target.form !== null &&
  target.type !== 'search';

let focusedValue = '';

/** Pages hold their fields in many ways; what a person typed is seen the same way in each. */
export const watchTyping = (): void => {
  document.addEventListener('focusin', ({ target }) => {
    if (isField(target)) focusedValue = target.value;
  });
  document.addEventListener('input', ({ target }) => {
    if (isField(target) && !before.has(target)) before.set(target, focusedValue);
  });
};

/** Nothing typed is lost any more: it was sent. */
export const forgetTyped = (): void => before.clear();

const ofWork = /^\/dashboard\/(?:operator|[^/]+\/(?:sandbox|production))\//;

/** A form in view is half filled. */
export const isHalfFilled = (): boolean =>
  ofWork.test(location.pathname) &&
  [...before].some(([field, value]) => field.isConnected && field.value !== value);
