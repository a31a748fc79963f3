/** The end of a card payment in a dialog of the merchant's page, as its address says (CARD-19). */
const tellCardEnd = (): void => {
  if (window.parent === window) return;
  const { event, paymentIdempotencyId } = Object.fromEntries(new URLSearchParams(location.search));
  // The page can stand in pages of the merchant only, and tells nothing that they do not know.
  window.parent.postMessage({ florinCardEvent: event, paymentIdempotencyId }, '*');
};

tellCardEnd();
