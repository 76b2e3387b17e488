import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyRequest } from 'fastify';

export const TOKEN_COOKIE = 'winnow_admin';

export interface AdminToken {
  readonly hash: string;
  /** The token itself, once: when it was made now and {@link AdminToken.keep} has not been called yet. */
  readonly fresh?: string;
  /** Writes the hash of a fresh token. To be called when the token has been shown: nobody could sign in otherwise. */
  keep(): void;
}

/** The admin token of a data folder: only its hash is kept. */
export function adminToken(dataDir: string): AdminToken {
  const file = join(dataDir, 'admin-token');
  if (existsSync(file)) return { hash: readFileSync(file, 'utf8').trim(), keep: () => undefined };
  const fresh = randomBytes(18).toString('base64url');
  const hash = hashOf(fresh);
  return { hash, fresh, keep: () => writeFileSync(file, `${hash}\n`, { mode: 0o600 }) };
}

export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Bearer header, or the cookie of the admin pages. Compared in constant time. */
export function isAdmin(request: FastifyRequest, hash: string): boolean {
  const bearer = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const given = bearer ?? request.cookies[TOKEN_COOKIE];
  return given !== undefined && matches(given, hash);
}

export function matches(token: string, hash: string): boolean {
  const a = Buffer.from(hashOf(token));
  const b = Buffer.from(hash);
  return a.length === b.length && timingSafeEqual(a, b);
}
