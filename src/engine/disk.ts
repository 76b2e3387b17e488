import { statfsSync } from 'node:fs';

/** Free bytes on the disk that holds the folder; Infinity where the system does not say. */
export function freeDiskBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    // Some file systems cannot be asked; writing then fails by itself when they are full.
    return Number.POSITIVE_INFINITY;
  }
}
