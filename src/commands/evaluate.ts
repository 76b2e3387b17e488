import type { Command } from './command.ts';
import { evaluateFormsCommand } from './evaluate-forms.ts';
import { evaluateFreshnessCommand } from './evaluate-freshness.ts';
import { evaluateGarbageCommand } from './evaluate-garbage.ts';
import { evaluateSearchCommand } from './evaluate-search.ts';
import { evaluateTreesCommand } from './evaluate-trees.ts';

export const evaluateCommand: Command = {
  name: 'evaluate',
  summary: 'measure detectors, learners, the ranking and refresh policies',
  sub: [
    evaluateGarbageCommand,
    evaluateTreesCommand,
    evaluateSearchCommand,
    evaluateFormsCommand,
    evaluateFreshnessCommand,
  ],
};
