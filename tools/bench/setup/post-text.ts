/** One whole HTTP/1.1 request, for `load`. */
export const postText = (
  port: number,
  path: string,
  secret: string,
  body: object,
  idempotencyKey?: string,
): string => {
  const text = JSON.stringify(body);
  return (
    `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${secret}\r\n` +
    `content-type: application/json\r\n` +
    (idempotencyKey ? `idempotency-key: ${idempotencyKey}\r\n` : '') +
    `content-length: ${text.length}\r\n\r\n${text}`
  );
};
