export * from './me.ts';
export * from './permissions.ts';
