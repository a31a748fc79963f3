/** The call of a program, with the address and the secret of `demo.env` left to be filled in. */
export const writeCurl = (path: string): string =>
  `curl -s "$URL${path}" -H "Authorization: Bearer $SECRET"`;
