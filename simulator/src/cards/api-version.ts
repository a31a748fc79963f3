// The version of the API whose shapes are spoken here, pinned like the client that judges them.
export const apiVersion = '2026-10-28.endive';
