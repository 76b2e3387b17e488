import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import { beaconScript, beaconTag, inlineBeacon } from '../modification-detection/beacon/beacon.ts';

const require = createRequire(import.meta.url);

/** What browsers get: ES5 source of the library as its package has it, nothing is built. */
export const BEACON_SCRIPT = beaconScript(readFileSync(require.resolve('blueimp-md5/js/md5.min.js'), 'utf8'));

export const BEACON_SCRIPT_GZIP: Uint8Array = gzipSync(BEACON_SCRIPT, { level: 9 });

/** What site owners put into their pages; one of the first two. */
export interface BeaconLines {
  readonly tag: string;
  readonly inline: string;
  /** Directives that a content security policy must have for the inline form. */
  readonly policy: string;
}

/** `server`: the Winnow server's URL as visitors reach it, also with a path. */
export function beaconLines(server: string): BeaconLines {
  const { origin, pathname } = new URL(server);
  const base = origin + pathname.replace(/\/+$/, '').replace(/'/g, '%27');
  const script = inlineBeacon(base);
  const hash = createHash('sha256').update(script).digest('base64');
  return {
    tag: beaconTag(base),
    inline: `<script>${script}</script>`,
    policy: `script-src 'sha256-${hash}' ${origin}; connect-src ${origin}`,
  };
}
