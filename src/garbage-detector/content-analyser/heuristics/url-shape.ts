import { BOTH, type Heuristic } from '../heuristic.ts';

export const urlShape: Heuristic = {
  id: 'A19',
  names: ['url_length', 'url_digits', 'url_hyphens', 'url_depth', 'url_params', 'host_labels'],
  level: 'A',
  detectors: BOTH,
  definition:
    'Units, digits and hyphens of the URL; path segments; query parameters; labels of the host. Unknown without URL.',
  source: 'Prieto et al. 2012; Ntoulas et al. 2006',
  compute({ context }) {
    const url = context.url === undefined ? null : URL.parse(context.url);
    if (url === null) return [undefined, undefined, undefined, undefined, undefined, undefined];
    const { href } = url;
    return [
      href.length,
      href.replaceAll(/\D/g, '').length,
      href.split('-').length - 1,
      url.pathname.split('/').filter((part) => part !== '').length,
      url.searchParams.size,
      url.hostname.split('.').length,
    ];
  },
};
