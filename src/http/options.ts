import type { ConnectOptions } from './connect.ts';
import type { ConnectionLimits } from './connections.ts';
import type { ProxySettings } from './proxy.ts';
import type { HeaderOptions } from './request-headers.ts';

/** Everything the fetcher is told; nothing has a default here. */
export interface HttpOptions extends HeaderOptions, ConnectOptions, ConnectionLimits {
  /** Let private, loopback and other non-public addresses through. */
  readonly allowPrivate: boolean;
  readonly proxy: ProxySettings;
  /** Milliseconds from the request to the end of the headers, for each hop. */
  readonly headersTimeoutMs: number;
  /** Milliseconds for a whole chain of redirects with its body. */
  readonly totalTimeoutMs: number;
  /** A body slower than this over `graceMs` is cut. */
  readonly minBytesPerSecond: number;
  readonly graceMs: number;
  /** Bytes of a body as sent, and after decompression. */
  readonly maxEncodedBytes: number;
  readonly maxBodyBytes: number;
  /** Both bounds for sitemaps and feeds. */
  readonly maxSitemapBytes: number;
  /** Both bounds for robots.txt. */
  readonly maxRobotsBytes: number;
  /** A Content-Length above this is not asked for at all. */
  readonly maxAnnouncedBytes: number;
  readonly maxRedirects: number;
  readonly maxRobotsRedirects: number;
  /** Requests under way at once. */
  readonly maxInFlight: number;
  /** Milliseconds; longer Retry-After values are cut to this. */
  readonly maxRetryAfterMs: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}
