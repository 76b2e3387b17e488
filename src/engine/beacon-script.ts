import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import { beaconScript } from '../modification-detection/beacon/beacon.ts';

const require = createRequire(import.meta.url);

/** What browsers get: ES5 source of the library as its package has it, nothing is built. */
export const BEACON_SCRIPT = beaconScript(readFileSync(require.resolve('blueimp-md5/js/md5.min.js'), 'utf8'));

export const BEACON_SCRIPT_GZIP: Uint8Array = gzipSync(BEACON_SCRIPT, { level: 9 });
