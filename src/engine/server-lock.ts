export { acquireLock, lockHolder } from '../kit/lock-file.ts';

/** Held by a server while it serves a data folder: who would replace the folder must not. */
export const SERVER_LOCK = 'server.lock';
