import { UsageError } from '../config/errors.ts';
import { changeGarbage, type GarbageChange } from '../engine/garbage-change.ts';
import { type GarbageRow, readGarbage } from '../engine/garbage-list.ts';
import { parseArea } from '../garbage-detector/garbage-repository/areas.ts';
import type { Command } from './command.ts';

export const garbageCommand: Command = {
  name: 'garbage',
  summary: 'the garbage repository by hand: what is set here wins over the model',
  sub: [
    {
      name: 'list',
      summary: 'condemned, blocked, allowed and doubtful areas',
      async run(_input, { dataDir, config }) {
        const rows = await readGarbage(dataDir, config);
        return {
          kind: 'report',
          json: rows,
          text: rows.length === 0 ? 'no area is listed' : rows.map(renderRow).join('\n'),
        };
      },
    },
    change('forgive', 'forget all that is held against a domain'),
    change('block', 'never request pages of a domain'),
    change('allow', 'never condemn a domain, whatever its pages say'),
  ],
};

function change(name: GarbageChange, summary: string): Command {
  return {
    name,
    summary,
    args: [
      {
        name: 'DOMAIN',
        help: 'a domain with its hosts (example.org), or a path (example.org/~name/)',
        required: true,
        many: true,
      },
    ],
    async run({ args }, { dataDir, config, now }) {
      for (const area of args) {
        const done = await changeGarbage({ change: name, area, dataDir, config, now: now() });
        if (!done)
          throw new UsageError(
            `garbage ${name}: "${area}" is not a domain that someone registered, a host or a host with a path`,
          );
      }
      const rows = await readGarbage(dataDir, config);
      return {
        kind: 'report',
        json: rows,
        text: `${DONE[name]}: ${args.map((area) => parseArea(area) ?? area).join(', ')}${name === 'block' ? '\nNo page of it is requested any more. Pages in the index stay there; "winnow hide" or "winnow forget" takes them out.' : ''}`,
      };
    },
  };
}

const DONE: Readonly<Record<GarbageChange, string>> = { forgive: 'forgiven', block: 'blocked', allow: 'allowed' };

function renderRow(row: GarbageRow): string {
  const until = row.until === undefined ? 'until changed by hand' : `until ${row.until.slice(0, 10)}`;
  return `${row.listed.padEnd(18)} ${row.domain.padEnd(40)} ${until}  ${row.why}`;
}
