// The version of the Stripe API that is simulated; it matches the pinned client of the tests.
export const apiVersion = '2026-10-28.endive';
