// Routes

export { clockRoutes } from './clock/clock-routes.ts';
export { driverRoutes } from './driver/driver-routes.ts';
export { linkDriverRoutes } from './driver/link-driver-routes.ts';
export { sandboxRoutes } from './sandbox-routes.ts';
export { settingsRoutes } from './settings-routes.ts';
export { webhookRoutes } from './webhook-routes.ts';

// The clock of a sandbox merchant

export { type AdvancedClock, advanceClock } from './clock/advance-clock.ts';
export type { DueSource } from './clock/due-source.ts';

// Names to sign in with at a simulated bank

export { scenarios } from './scenarios.ts';
