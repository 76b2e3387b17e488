import { describe, expect, it } from 'vitest';
import { DEFAULTS } from '../config/defaults.ts';
import { UsageError } from '../config/errors.ts';
import { applyFetchOptions } from './context.ts';

describe.each(['contact', 'user-agent'])('--%s is sent as a header', (name) => {
  it.each(['a\rb', 'a\nX-Evil: 1', 'me@example.org\r\n', 'a\u0000b', 'a\u007f', 'Käthe ☎', '日本', '  '])(
    '%j is refused',
    (value) => {
      expect(() => applyFetchOptions(DEFAULTS, { [name]: value })).toThrow(UsageError);
      expect(() => applyFetchOptions(DEFAULTS, { [name]: value })).toThrow(`--${name}`);
    },
  );

  it.each(['me@example.org', 'https://example.org/bot (Zoë)'])('%j is taken', (value) => {
    const { crawl } = applyFetchOptions(DEFAULTS, { [name]: value });
    expect(name === 'contact' ? crawl.contact : crawl.userAgent).toBe(value);
  });
});
