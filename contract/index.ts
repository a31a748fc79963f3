export * from './checkout/views.ts';
export * from './events.ts';
export * from './failures.ts';
export * from './limits.ts';
export * from './merchant/payment-status.ts';
export * from './merchant/payments.ts';
export * from './operation.ts';
