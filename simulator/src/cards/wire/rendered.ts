export type Rendered = { readonly id: string; readonly object: string } & Record<string, unknown>;

export function seconds(ms: number): number {
  return Math.floor(ms / 1000);
}
