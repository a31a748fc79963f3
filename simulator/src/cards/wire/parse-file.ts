import { createHash } from 'node:crypto';
import { invalid } from '../rules/api-error.ts';
import type { Params } from './parameters.ts';

// A form with one file, of which the hash stands for the bytes: the same file is the same request.
export const parseFile = async (contentType: string, body: Buffer): Promise<Params> => {
  const form = await new Response(new Uint8Array(body), {
    headers: { 'content-type': contentType },
  })
    .formData()
    .catch(() => {
      throw invalid('The request is no multipart/form-data.');
    });
  const file = form.get('file');
  const texts = [...form].flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
  if (!(file instanceof File)) return Object.fromEntries(texts);
  const bytes = Buffer.from(await file.arrayBuffer());
  return {
    ...Object.fromEntries(texts),
    file: {
      name: file.name,
      bytes: String(bytes.length),
      type: typeOf(bytes) ?? '',
      sha256: createHash('sha256').update(bytes).digest('hex'),
    },
  };
};

// By the first bytes: what a name says proves nothing.
const typeOf = (bytes: Buffer): string | undefined =>
  Object.entries(beginnings).find(([, start]) =>
    bytes.subarray(0, start.length).equals(start),
  )?.[0];

const beginnings = {
  pdf: Buffer.from('%PDF-'),
  jpg: Buffer.from([0xff, 0xd8, 0xff]),
  png: Buffer.from([0x89, 0x50, 0x4e, 0x47]),
} as const;
