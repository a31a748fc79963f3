export type Rendered = { readonly id: string; readonly object: string } & Record<string, unknown>;

export const seconds = (ms: number): number => Math.floor(ms / 1000);
