import type { HttpOptions } from './options.ts';
import type { ResolverOptions } from './resolver.ts';

/** Options for tests against servers on this machine: small limits, private addresses allowed. */
export function testOptions(changes: Partial<HttpOptions>): HttpOptions {
  return {
    userAgent: 'winnow-test/1.0',
    acceptLanguage: '*',
    connectTimeoutMs: 2000,
    extraCa: '',
    acceptIncompleteChains: false,
    connectionsPerOrigin: 4,
    maxIdleConnections: 16,
    keepAliveMs: 4000,
    maxHeaderBytes: 128 * 1024,
    allowPrivate: true,
    proxy: { http: undefined, https: undefined, except: [] },
    headersTimeoutMs: 2000,
    totalTimeoutMs: 5000,
    minBytesPerSecond: 100,
    graceMs: 1000,
    maxEncodedBytes: 1024 * 1024,
    maxBodyBytes: 1024 * 1024,
    maxSitemapBytes: 2 * 1024 * 1024,
    maxRobotsBytes: 512 * 1024,
    maxAnnouncedBytes: 8 * 1024 * 1024,
    maxRedirects: 20,
    maxRobotsRedirects: 5,
    maxInFlight: 64,
    maxRetryAfterMs: 24 * 3600 * 1000,
    now: Date.now,
    ...changes,
  };
}

/** No DNS server is asked: names come from `hosts` or the operating system. */
export function testResolverOptions(changes: Partial<ResolverOptions>): ResolverOptions {
  return {
    hosts: new Map(),
    servers: ['127.0.0.1:9'],
    minTtlSeconds: 60,
    maxTtlSeconds: 3600,
    negativeTtlSeconds: 60,
    cacheSize: 1000,
    concurrency: 8,
    timeoutMs: 300,
    tries: 1,
    now: Date.now,
    ...changes,
  };
}
