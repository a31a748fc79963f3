import { sandboxRoutes } from './sandbox-routes.ts';

// What the programs mount

export const sandboxModule = { name: 'sandbox', routes: [sandboxRoutes] };

// Routes

export { clockRoutes } from './clock.ts';
export { linkInSandboxRoutes } from './link-in-sandbox.ts';
export { payInSandboxRoutes } from './pay-in-sandbox.ts';
export { sandboxRoutes, settingsRoutes, webhookRoutes } from './sandbox-routes.ts';

// The clock of a sandbox merchant

export type { DueSource } from './clock.ts';
export { type AdvancedClock, advanceClock } from './clock.ts';

// Names to sign in with at a simulated bank

export { scenarios } from './sandbox-routes.ts';
