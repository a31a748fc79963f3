export * from './deliveries.ts';
export * from './me.ts';
export * from './money.ts';
export * from './permissions.ts';
export * from './requests.ts';
export * from './secrets.ts';
export * from './signing-secrets.ts';
