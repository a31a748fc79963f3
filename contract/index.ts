export * from './checkout/views.ts';
export * from './failures.ts';
export * from './limits.ts';
export * from './operation.ts';
