import { type DoctorFinding, examine } from '../engine/doctor.ts';
import type { Command } from './command.ts';

export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'what is missing on this machine and in the data folder',
  details: 'Reads the whole database; changes nothing. Exit status 1 when something that Winnow needs is missing.',
  async run(_input, { dataDir, config }) {
    const findings = await examine({ dataDir, config });
    const exit = findings.some((finding) => finding.status === 'missing') ? 1 : 0;
    return { kind: 'report', json: findings, text: findings.map(render).join('\n'), exit };
  },
};

const MARK: Readonly<Record<DoctorFinding['status'], string>> = { ok: 'ok', warning: 'note', missing: 'MISSING' };

function render({ check, status, detail, advice }: DoctorFinding): string {
  return `${MARK[status].padEnd(8)} ${check.padEnd(15)} ${detail}${advice === undefined ? '' : `\n${' '.repeat(25)}→ ${advice}`}`;
}
