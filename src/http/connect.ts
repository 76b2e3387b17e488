import { constants } from 'node:crypto';
import { connect as connectTcp, isIP, type Socket, type TcpNetConnectOpts } from 'node:net';
import {
  checkServerIdentity,
  connect as connectTls,
  createSecureContext,
  getCACertificates,
  type SecureContext,
  type TLSSocket,
} from 'node:tls';
import { codeOf, INCOMPLETE_CHAIN_CODES } from './failure.ts';
import { portOf, proxyAuthorization } from './proxy.ts';

export interface ConnectOptions {
  /** Milliseconds for connecting, proxy and TLS together; the look-up before has as many of its own. */
  readonly connectTimeoutMs: number;
  /** PEM certificates trusted besides Node's; '' = none. */
  readonly extraCa: string;
  /** Accept servers that leave out their intermediate certificate; the name and dates are still checked. */
  readonly acceptIncompleteChains: boolean;
}

export interface Endpoint {
  /** The URL whose scheme, host and port are meant. */
  readonly url: URL;
  /** Addresses that the guard let through, in the order to try. No name is looked up again. */
  readonly addresses: readonly string[];
  readonly proxy: URL | undefined;
}

/** Opens TCP and TLS connections to addresses that were checked before. */
export class Connector {
  readonly #options: ConnectOptions;
  #secure: SecureContext | undefined;
  readonly #opening = new Set<Opening>();
  readonly #sessions = new Map<string, Buffer>();

  constructor(options: ConnectOptions) {
    this.#options = options;
  }

  /** Rejects with the socket's error; with code ETIMEDOUT when it takes longer than `milliseconds`. */
  async open(endpoint: Endpoint, milliseconds: number, signal: AbortSignal | undefined): Promise<Socket> {
    const opening = new Opening();
    const timeout = Math.min(milliseconds, this.#options.connectTimeoutMs);
    const timer = setTimeout(() => opening.stop(timeoutError(timeout)), timeout);
    const abort = (): void => opening.stop(new Error('aborted'));
    signal?.addEventListener('abort', abort, { once: true });
    this.#opening.add(opening);
    try {
      return await this.#connect(endpoint, opening);
    } catch (error) {
      opening.stop(error instanceof Error ? error : new Error(String(error)));
      throw error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      this.#opening.delete(opening);
    }
  }

  close(): void {
    for (const opening of this.#opening) opening.stop(new Error('closed'));
  }

  async #connect(endpoint: Endpoint, opening: Opening): Promise<Socket> {
    const { url, proxy } = endpoint;
    if (proxy === undefined) {
      const target = tcpOptions(endpoint.addresses, Number(portOf(url)));
      if (url.protocol === 'https:') return this.#secured(target, url, opening);
      return opening.until(connectTcp(target), 'connect');
    }
    const toProxy = tcpOptions([proxy.hostname.replace(/^\[|\]$/g, '')], Number(portOf(proxy)));
    const socket =
      proxy.protocol === 'https:'
        ? await this.#secured(toProxy, proxy, opening)
        : await opening.until(connectTcp(toProxy), 'connect');
    if (url.protocol === 'http:') return socket;
    await tunnel(socket, url, proxy);
    return this.#secured({ socket }, url, opening);
  }

  async #secured(over: TcpNetConnectOpts | { socket: Socket }, url: URL, opening: Opening): Promise<TLSSocket> {
    const name = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
    const sessionKey = `${name}:${portOf(url)}`;
    const secure = connectTls({
      ...over,
      servername: isIP(name) === 0 ? name : '',
      secureContext: (this.#secure ??= this.#createContext()),
      ALPNProtocols: ['http/1.1'],
      session: this.#sessions.get(sessionKey),
      rejectUnauthorized: !this.#options.acceptIncompleteChains,
      checkServerIdentity: (_host, certificate) => checkServerIdentity(name, certificate),
    });
    secure.on('session', (session) => this.#rememberSession(sessionKey, session));
    await opening.until(secure, 'secureConnect');
    if (this.#options.acceptIncompleteChains) checkLeniently(secure, name);
    return secure;
  }

  #createContext(): SecureContext {
    const ca = [...getCACertificates('default')];
    if (this.#options.extraCa !== '') ca.push(this.#options.extraCa);
    return createSecureContext({ ca, secureOptions: constants.SSL_OP_LEGACY_SERVER_CONNECT });
  }

  #rememberSession(key: string, session: Buffer): void {
    this.#sessions.delete(key);
    this.#sessions.set(key, session);
    const oldest = this.#sessions.keys().next();
    if (this.#sessions.size > MAX_TLS_SESSIONS && oldest.done !== true) this.#sessions.delete(oldest.value);
  }
}

/** About 2 kB each. */
const MAX_TLS_SESSIONS = 200;
/** Milliseconds before the next address of a name is tried as well (RFC 8305 §5 recommends 250). */
const NEXT_ADDRESS_MS = 250;
/** Bytes of a proxy's answer to CONNECT. */
const MAX_TUNNEL_ANSWER = 16 * 1024;

/** An address literal in `host` skips every look-up; with several, the look-up hands out the checked ones. */
function tcpOptions(addresses: readonly string[], port: number): TcpNetConnectOpts {
  const [first = ''] = addresses;
  const common = { port, noDelay: true, keepAlive: true };
  if (addresses.length < 2) return { ...common, host: first };
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return {
    ...common,
    host: 'checked.invalid',
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
    lookup: (_host, options, callback) => {
      if (options.all === true) callback(null, all);
      else callback(null, first, isIP(first));
    },
  };
}

/**
 * The socket of a connection on its way. Only the outermost one is ever destroyed from here: destroying a socket and then
 * the TLS socket around it crashes Node 24.
 */
class Opening {
  #outermost: Socket | undefined;
  #stopped: Error | undefined;

  stop(reason: Error): void {
    this.#stopped ??= reason;
    this.#outermost?.destroy(reason);
  }

  /** Resolves to the socket at `event`, rejects at 'error' or at an end that comes first. */
  until<S extends Socket>(socket: S, event: 'connect' | 'secureConnect'): Promise<S> {
    this.#outermost = socket;
    // Later errors belong to whoever uses the socket then; without a listener they would end the process.
    socket.on('error', ignoreLateError);
    return new Promise((resolve, reject) => {
      const onClose = (): void => reject(new Error('connection closed while it was being opened'));
      socket.once('close', onClose);
      socket.once('error', reject);
      socket.once(event, () => {
        socket.off('close', onClose);
        socket.off('error', reject);
        resolve(socket);
      });
      if (this.#stopped !== undefined) socket.destroy(this.#stopped);
    });
  }
}

function ignoreLateError(): void {
  // The first error was reported by until().
}

/** With rejectUnauthorized off, Node checks the name only of certificates it trusts: do it here for the others. */
function checkLeniently(socket: TLSSocket, name: string): void {
  const failed = socket.authorizationError;
  if (socket.authorized || failed === null || failed === undefined) return;
  const code = typeof failed === 'string' ? failed : codeOf(failed);
  const identity = checkServerIdentity(name, socket.getPeerCertificate());
  const expired = Date.parse(socket.getPeerCertificate().valid_to) < Date.now();
  if (INCOMPLETE_CHAIN_CODES.has(code) && identity === undefined && !expired) return;
  throw (
    identity ??
    Object.assign(new Error(expired ? 'certificate has expired' : code), { code: expired ? 'CERT_HAS_EXPIRED' : code })
  );
}

async function tunnel(socket: Socket, target: URL, proxy: URL): Promise<void> {
  const authority = `${target.hostname}:${portOf(target)}`;
  const authorization = proxyAuthorization(proxy);
  const line = authorization === '' ? '' : `Proxy-Authorization: ${authorization}\r\n`;
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${line}\r\n`);
  const head = await readHead(socket);
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1];
  if (status !== '200') throw new Error(`proxy answered CONNECT with ${status ?? 'no HTTP'}`);
}

function readHead(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let head = '';
    const onData = (chunk: Buffer): void => {
      head += chunk.toString('latin1');
      const end = head.indexOf('\r\n\r\n');
      if (end < 0 && head.length < MAX_TUNNEL_ANSWER) return;
      socket.off('data', onData);
      socket.pause();
      if (end < 0) reject(new Error('proxy answered CONNECT with too many headers'));
      else resolve(head.slice(0, end));
    };
    socket.on('data', onData);
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('proxy closed the connection')));
  });
}

function timeoutError(milliseconds: number): Error {
  return Object.assign(new Error(`no connection within ${Math.round(milliseconds)} ms`), { code: 'ETIMEDOUT' });
}
