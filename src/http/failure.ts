import type { FailedReason } from '../model/lists.ts';

/** An expected failure on its way to an outcome. */
export interface Failure {
  readonly reason: FailedReason;
  readonly detail: string;
}

/** OpenSSL's names for a chain that does not lead to a trusted authority. */
const CHAIN_CODES = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'CERT_CHAIN_TOO_LONG',
  'CERT_UNTRUSTED',
  'INVALID_CA',
  'PATH_LENGTH_EXCEEDED',
]);

/** What a server that left out its intermediate certificate looks like. */
export const INCOMPLETE_CHAIN_CODES: ReadonlySet<string> = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
]);

const TLS_CODES = /^(?:ERR_TLS_|ERR_SSL_|ERR_OSSL_|EPROTO$|CERT_|HOSTNAME_MISMATCH|CRL_|UNABLE_TO_)/;
const TIMEOUT_CODES = new Set([
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** A failure before the connection stood. */
export function connectFailure(error: unknown): Failure {
  const code = codeOf(error);
  const detail = describe(error);
  if (CHAIN_CODES.has(code)) return { reason: 'tls-chain', detail };
  if (TLS_CODES.test(code)) return { reason: 'tls', detail };
  return { reason: TIMEOUT_CODES.has(code) ? 'timeout' : 'connect', detail };
}

/** A failure of the exchange on a connection that stood; `begun`: the answer had begun. */
export function exchangeFailure(error: Error, begun: boolean): Failure {
  const code = codeOf(error);
  const detail = describe(error);
  if (TIMEOUT_CODES.has(code)) return { reason: 'timeout', detail };
  if (TLS_CODES.test(code)) return { reason: 'tls', detail };
  const protocol = isParserError(error) || code === 'UND_ERR_HEADERS_OVERFLOW' || /^UND_ERR_(?:RES|INVALID)/.test(code);
  if (protocol || /bad (?:response|upgrade)/.test(detail)) return { reason: 'protocol', detail };
  return { reason: begun ? 'protocol' : 'connect', detail };
}

/** The strict parser refused the bytes: undici's names its errors but gives them no code, ours gives a code. */
function isParserError(error: unknown): boolean {
  return (error instanceof Error && error.name === 'HTTPParserError') || codeOf(error).startsWith('HPE_');
}

/** Two body lengths at once; the client reports the second form when it has read the first length already. */
export function isFramingError(error: Error): boolean {
  const twoLengths = isParserError(error) && error.message.includes('Content-Length');
  return twoLengths || codeOf(error) === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH';
}

/** One line, bounded: messages quote what servers sent. */
function describe(error: unknown): string {
  const message = (error instanceof Error ? error.message || error.name : String(error)).replace(
    /; if the root CA is .*/,
    '',
  );
  const code = codeOf(error);
  const text = code === '' || message.includes(code) ? message : `${code}: ${message}`;
  return text.replace(/\s+/g, ' ').slice(0, 300);
}
