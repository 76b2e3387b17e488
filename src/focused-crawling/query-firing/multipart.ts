import { hash64, toHex64 } from '../../kit/hash.ts';
import { encodeText } from './encode.ts';

/** multipart/form-data (RFC 7578 with the escapes of the HTML standard). The boundary follows from the content. */
export function multipart(
  entries: readonly (readonly [string, string])[],
  encoding: string,
): { readonly body: Uint8Array; readonly contentType: string } {
  const boundary = `----WinnowForm${toHex64(hash64(JSON.stringify(entries)))}`;
  const parts = entries.map(([name, value]) => {
    const quoted = name.replaceAll('"', '%22').replaceAll('\r\n', '%0D%0A');
    return `--${boundary}\r\nContent-Disposition: form-data; name="${quoted}"\r\n\r\n${value}\r\n`;
  });
  const body = encodeText(`${parts.join('')}--${boundary}--\r\n`, encoding);
  return { body, contentType: `multipart/form-data; boundary=${boundary}` };
}
