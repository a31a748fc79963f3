/** `npm run test:long` runs every permutation of what `npm test` runs one representative of. */
export const isLongRun = process.env.TEST_LONG === '1';
