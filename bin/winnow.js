#!/usr/bin/env node
// Plain JavaScript on purpose: it must run on any Node, so that an old one gets a message instead of a syntax error.
const [major] = process.versions.node.split('.').map(Number);
if (major < 24) {
  console.error(
    `winnow needs Node 24 or newer; this is Node ${process.versions.node}.\n` +
      'Inside the project, "npm run winnow -- <command>" uses the right one; elsewhere install Node 24 from nodejs.org.',
  );
  process.exit(1);
}
process.removeAllListeners('warning');
const { existsSync } = await import('node:fs');
// Compiled code is kept between runs: short commands start in half the time.
const { enableCompileCache } = await import('node:module');
enableCompileCache();
const source = new URL('../src/cli/cli.ts', import.meta.url);
const built = new URL('../dist/cli/cli.js', import.meta.url);
await import(existsSync(source) ? source.href : built.href);
