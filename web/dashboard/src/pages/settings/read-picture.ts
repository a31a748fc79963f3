import { limits } from '@florin/contract';

type Picture =
  | { readonly kind: 'READ'; readonly address: string }
  | { readonly kind: 'REFUSED'; readonly why: string };

/** A chosen file as a data: address. The server looks at what is in it. */
export const readPicture = async (
  file: Pick<File, 'size' | 'type' | 'arrayBuffer'>,
): Promise<Picture> => {
  if (!pictureTypes.includes(file.type))
    return { kind: 'REFUSED', why: 'Choose a PNG or an SVG picture.' };
  if (file.size > limits.pictureBytes) {
    const kilobytes = Math.ceil(file.size / 1024);
    const max = limits.pictureBytes / 1024;
    return { kind: 'REFUSED', why: `This picture is ${kilobytes} KB: the limit is ${max} KB.` };
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return { kind: 'READ', address: `data:${file.type};base64,${btoa(binary)}` };
};

const pictureTypes: readonly string[] = ['image/png', 'image/svg+xml'];
