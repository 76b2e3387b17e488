import type { Socket } from 'node:net';
import { Client } from 'undici';
import type { Connector, Endpoint } from './connect.ts';
import { portOf } from './proxy.ts';
import { Slots } from './slots.ts';

export interface ConnectionLimits {
  readonly connectionsPerOrigin: number;
  /** Connections kept open between requests, over all origins; the longest idle goes first. */
  readonly maxIdleConnections: number;
  /** Milliseconds an idle connection is kept; the server's Keep-Alive hint may shorten it. */
  readonly keepAliveMs: number;
  /** Bytes of all headers of an answer. */
  readonly maxHeaderBytes: number;
}

/** One socket, one request at a time. */
export interface Connection {
  readonly client: Client;
  readonly address: string | undefined;
  /** False once the socket is gone. */
  alive: boolean;
  /** Requests answered before. */
  served: number;
}

interface Origin {
  readonly slots: Slots;
  readonly idle: Connection[];
  users: number;
}

/**
 * Connections by origin, bounded in each. Every connection is an undici client over a socket that {@link Connector}
 * opened; the client never connects by itself, so no address is used that was not checked.
 */
export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #connector: Connector;
  readonly #origins = new Map<string, Origin>();
  /** Idle ones, longest idle first. */
  readonly #idle = new Map<Connection, string>();
  readonly #all = new Set<Connection>();

  constructor(limits: ConnectionLimits, connector: Connector) {
    this.#limits = limits;
    this.#connector = connector;
  }

  /** Waits for one of the origin's places. The function given back frees it. */
  async enter(key: string): Promise<() => void> {
    let origin = this.#origins.get(key);
    if (origin === undefined) {
      origin = { slots: new Slots(this.#limits.connectionsPerOrigin), idle: [], users: 0 };
      this.#origins.set(key, origin);
    }
    origin.users++;
    const free = await origin.slots.take();
    return () => {
      free();
      origin.users--;
      this.#forgetUnused(key, origin);
    };
  }

  /** An idle connection of the origin, the last used first. */
  takeIdle(key: string): Connection | undefined {
    const idle = this.#origins.get(key)?.idle;
    for (let connection = idle?.pop(); connection !== undefined; connection = idle?.pop()) {
      this.#idle.delete(connection);
      if (connection.alive) return connection;
    }
    return undefined;
  }

  /** Rejects as {@link Connector.open} does. */
  async open(endpoint: Endpoint, milliseconds: number, signal: AbortSignal | undefined): Promise<Connection> {
    const socket = await this.#connector.open(endpoint, milliseconds, signal);
    const client = new Client(originOf(endpoint.url), {
      connect: giveOnce(socket),
      pipelining: 1,
      maxHeaderSize: this.#limits.maxHeaderBytes,
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: this.#limits.keepAliveMs,
      keepAliveMaxTimeout: this.#limits.keepAliveMs,
      allowH2: false,
    });
    const address = endpoint.proxy === undefined ? socket.remoteAddress : undefined;
    const connection: Connection = { client, address, alive: true, served: 0 };
    this.#all.add(connection);
    client.on('disconnect', () => this.#lost(connection));
    client.on('connectionError', () => this.#lost(connection));
    return connection;
  }

  /** Gives a connection back after a complete answer. */
  keep(key: string, connection: Connection): void {
    connection.served++;
    const origin = this.#origins.get(key);
    if (!connection.alive || origin === undefined || this.#limits.maxIdleConnections === 0) {
      this.drop(connection);
      return;
    }
    origin.idle.push(connection);
    this.#idle.set(connection, key);
    if (this.#idle.size > this.#limits.maxIdleConnections) {
      const oldest = this.#idle.keys().next();
      if (oldest.done !== true) this.drop(oldest.value);
    }
  }

  drop(connection: Connection): void {
    this.#lost(connection);
    void connection.client.destroy();
  }

  async close(): Promise<void> {
    this.#connector.close();
    const clients = [...this.#all].map((connection) => connection.client);
    await Promise.all(clients.map((client) => client.destroy()));
  }

  #lost(connection: Connection): void {
    connection.alive = false;
    this.#all.delete(connection);
    const key = this.#idle.get(connection);
    if (key === undefined) return;
    this.#idle.delete(connection);
    const origin = this.#origins.get(key);
    if (origin === undefined) return;
    const index = origin.idle.indexOf(connection);
    if (index >= 0) origin.idle.splice(index, 1);
    this.#forgetUnused(key, origin);
  }

  /** Memory must not grow with the number of hosts seen. */
  #forgetUnused(key: string, origin: Origin): void {
    if (origin.users === 0 && origin.idle.length === 0) this.#origins.delete(key);
  }
}

/** What shares connections: scheme, host, port and the proxy on the way. */
export function connectionKey(url: URL, proxy: URL | undefined): string {
  return proxy === undefined ? originOf(url) : `${originOf(url)} ${proxy.href}`;
}

function originOf(url: URL): string {
  return `${url.protocol}//${url.hostname}:${portOf(url)}`;
}

/** Error code of a client whose only socket is gone before the request was sent. */
export const STALE_CONNECTION = 'WINNOW_STALE_CONNECTION';

type ConnectCallback = (...result: [null, Socket] | [Error, null]) => void;

function giveOnce(socket: Socket): (options: unknown, callback: ConnectCallback) => void {
  let given = false;
  return (_options, callback) => {
    if (given || socket.destroyed) {
      callback(Object.assign(new Error('the connection was closed'), { code: STALE_CONNECTION }), null);
      return;
    }
    given = true;
    // The client expects to be called back later: it does not look at its queue again when it happens at once.
    queueMicrotask(() => callback(null, socket));
  };
}
